import type { Allowance, Overview } from '../../src/traces/api.ts'
import { inDigits } from '../text/words.ts'

/** What is left to the key that looks. */
export function Own({ own: { key, allowances } }: { readonly own: NonNullable<Overview['own']> }) {
  return (
    <div class="tables own-box">
      <section class="table-box" aria-labelledby="own-title">
        <h2 id="own-title">Your key: {key}</h2>
        {allowances === undefined && (
          <p class="warn small">▲ What is left of your budget can't be read at the moment.</p>
        )}
        {allowances?.length === 0 && <p class="muted small">It has no budget.</p>}
        <ul class="bars">
          {allowances?.map((one) => (
            <li key={`${one.of} ${one.limit}`} title={`There is more from ${new Date(one.renewsAt).toISOString()} on.`}>
              <span class="bar-name">
                {one.of === 'team' && 'team: '}
                {one.what} per {one.period}
              </span>
              <span class="bar-track" aria-hidden="true">
                <span
                  class={one.left > 0 ? 'bar-fill fine' : 'bar-fill flawed'}
                  style={{ width: `${one.left > 0 ? (one.left / one.amount) * 100 : 100}%` }}
                />
              </span>
              <span class="bar-figures small">{inWords(one)}</span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

function inWords({ left, amount, what }: Allowance) {
  const print = (value: number): string => (what === 'tokens' ? inDigits(value) : value.toFixed(2))
  return (
    <>
      {left > 0 ? `${print(left)} left` : <span class="error">✕ used up</span>}{' '}
      <span class="muted">of {print(amount)}</span>
    </>
  )
}
