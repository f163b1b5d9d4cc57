import type { Exchange } from '../../../src/traces/exchange.ts'
import { inDigits } from '../../text/words.ts'

interface Share {
  readonly key: string
  readonly name: string
  readonly tokens: number
}

/** Where the tokens went, as one bar and in figures. */
export function UsageView({ exchange }: { readonly exchange: Exchange }) {
  const { usage } = exchange
  if (usage === undefined) return <p class="muted small">No usage was reported.</p>
  const shares = sharesOf(exchange)
  const total = shares.reduce((all, { tokens }) => all + tokens, 0)
  return (
    <div class="usage">
      <div class="usage-bar" aria-hidden="true">
        {shares.map(({ key, tokens }) => (
          <span key={key} class={`share ${key}`} style={{ flexGrow: tokens }} />
        ))}
      </div>
      <dl class="usage-list small">
        {shares.map(({ key, name, tokens }) => (
          <div key={key}>
            <dt>
              <span class={`swatch ${key}`} aria-hidden="true" /> {name}
            </dt>
            <dd>{inDigits(tokens)}</dd>
          </div>
        ))}
        <div class="usage-total">
          <dt>{usage.estimated === true ? 'in all, estimated' : 'in all'}</dt>
          <dd>{inDigits(total)}</dd>
        </div>
        {usage.cachedTokens !== undefined && usage.cachedTokens > 0 && (
          <div class="muted">
            <dt>of the prompt, from the cache</dt>
            <dd>{inDigits(usage.cachedTokens)}</dd>
          </div>
        )}
      </dl>
    </div>
  )
}

function sharesOf({ usage, told }: Exchange): readonly Share[] {
  if (usage === undefined) return []
  const { promptTokens, completionTokens, reasoningTokens = 0 } = usage
  const taught = taughtTokens(told.find(({ kind }) => kind === 'usage_split')?.detail)
  const tools = Math.min(taught, promptTokens)
  const thoughts = Math.min(reasoningTokens, completionTokens)
  return [
    { key: 'taught', name: 'prompt, the tools in it', tokens: tools },
    { key: 'prompt', name: tools > 0 ? "prompt, the client's own" : 'prompt', tokens: promptTokens - tools },
    { key: 'thoughts', name: 'answer, thoughts', tokens: thoughts },
    { key: 'answer', name: thoughts > 0 ? 'answer, the rest' : 'answer', tokens: completionTokens - thoughts },
  ].filter(({ tokens }) => tokens > 0)
}

/** `usage_split` tells the tokens of the tools as `tools=123`. */
function taughtTokens(detail: string | undefined): number {
  return Number(/tools\D{0,3}(\d+)/.exec(detail ?? '')?.[1] ?? 0)
}
