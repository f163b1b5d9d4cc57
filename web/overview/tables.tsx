import { severityOf } from '../../src/protocol/trace/change.ts'
import type { Figures, Overview } from '../../src/traces/api.ts'
import { counted, inDigits, inPace, inShort, inTime } from '../text/words.ts'

interface ModelsProps {
  readonly models: Overview['models']
  /** So many more are not in the table. */
  readonly others: number
  readonly onModel: (model: string | undefined) => void
}

export function nameOf(model: string | undefined): string {
  return model ?? '(no model named)'
}

export function Models({ models, others, onModel }: ModelsProps) {
  return (
    <section class="table-box models-box" aria-labelledby="models-title">
      <h2 id="models-title">By model</h2>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col" class="number">
              Requests
            </th>
            <th scope="col" class="number">
              Failed
            </th>
            <th scope="col" class="number">
              First byte
            </th>
            <th scope="col" class="number">
              Tokens/s
            </th>
            <th scope="col" class="number">
              Tokens out
            </th>
            <th scope="col" class="number">
              Calls
            </th>
          </tr>
        </thead>
        <tbody>
          {models.map(({ model, total }) => (
            <tr key={model === undefined ? 'none' : `model ${model}`}>
              <th scope="row">
                <button type="button" class="button link" onClick={() => onModel(model)}>
                  {nameOf(model)}
                </button>
              </th>
              <td class="number">{inDigits(total.requests)}</td>
              <td class={total.failed > 0 ? 'number error' : 'number muted'}>
                {total.failed > 0 ? `✕ ${inDigits(total.failed)}` : '0'}
              </td>
              <td class="number">{total.firstByteMs === undefined ? '–' : inTime(total.firstByteMs.p50)}</td>
              <td class="number">{total.tokensPerSecond === undefined ? '–' : inPace(total.tokensPerSecond.p50)}</td>
              <td class="number">{inShort(total.completionTokens)}</td>
              <td class="number">{inDigits(total.calls)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {others > 0 && <p class="muted small">{counted(others, 'model')} with fewer requests not shown.</p>}
    </section>
  )
}

/** Calls by how tools went to the model, and how it came out. */
export function Dialects({ dialects }: { readonly dialects: Figures['dialects'] }) {
  const most = Math.max(1, ...dialects.map(({ exchanges }) => exchanges))
  return (
    <section class="table-box" aria-labelledby="dialects-title">
      <h2 id="dialects-title">Calls by dialect</h2>
      {dialects.length === 0 && <p class="muted small">No request offered tools.</p>}
      <ul class="bars">
        {dialects.map(({ dialect, exchanges, calls, flawed }) => (
          <li key={dialect}>
            <span class="bar-name">{dialect}</span>
            <span class="bar-track" aria-hidden="true">
              <span class="bar-fill fine" style={{ width: `${((exchanges - flawed) / most) * 100}%` }} />
              {flawed > 0 && <span class="bar-fill flawed" style={{ width: `${(flawed / most) * 100}%` }} />}
            </span>
            <span class="bar-figures small">
              {inDigits(calls)} <span class="muted">in {inDigits(exchanges)}</span>
              {flawed > 0 && <span class="error"> ✕ {inDigits(flawed)} flawed</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Repairs({ notes }: { readonly notes: Figures['notes'] }) {
  const most = Math.max(1, ...notes.map(({ exchanges }) => exchanges))
  return (
    <section class="table-box" aria-labelledby="repairs-title">
      <h2 id="repairs-title">Repairs and other notes</h2>
      {notes.length === 0 && <p class="muted small">Nothing had to be put right.</p>}
      <ul class="bars">
        {notes.map(({ kind, exchanges, words }) => {
          const isWarning = severityOf(kind) !== 'info'
          return (
            <li key={kind} title={words}>
              <span class="bar-name">
                {isWarning && <span class="warn">▲&nbsp;</span>}
                {kind}
              </span>
              <span class="bar-track" aria-hidden="true">
                <span
                  class={isWarning ? 'bar-fill warning' : 'bar-fill repair'}
                  style={{ width: `${(exchanges / most) * 100}%` }}
                />
              </span>
              <span class="bar-figures small">{inDigits(exchanges)}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Who used how much, where clients have keys. */
export function Keys({ keys }: { readonly keys: Figures['keys'] }) {
  if (keys.length === 0) return null
  const most = Math.max(1, ...keys.map(({ tokens }) => tokens))
  return (
    <section class="table-box" aria-labelledby="keys-title">
      <h2 id="keys-title">Tokens by key</h2>
      <ul class="bars">
        {keys.map(({ key, exchanges, tokens }) => (
          <li key={key}>
            <span class="bar-name">{key}</span>
            <span class="bar-track" aria-hidden="true">
              <span class="bar-fill fine" style={{ width: `${(tokens / most) * 100}%` }} />
            </span>
            <span class="bar-figures small">
              {inShort(tokens)} <span class="muted">in {counted(exchanges, 'request')}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Errors({ errors }: { readonly errors: Figures['errors'] }) {
  if (errors.length === 0) return null
  const most = Math.max(1, ...errors.map(({ exchanges }) => exchanges))
  return (
    <section class="table-box" aria-labelledby="errors-title">
      <h2 id="errors-title">Errors</h2>
      <ul class="bars">
        {errors.map(({ code, exchanges }) => (
          <li key={code}>
            <span class="bar-name error">✕&nbsp;{code}</span>
            <span class="bar-track" aria-hidden="true">
              <span class="bar-fill flawed" style={{ width: `${(exchanges / most) * 100}%` }} />
            </span>
            <span class="bar-figures small">{inDigits(exchanges)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
