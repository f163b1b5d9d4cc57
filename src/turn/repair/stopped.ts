import type { Event } from '../../protocol/event.ts'
import { addUsage } from '../../protocol/usage.ts'

/**
 * An answer of which the service was told to stop where a made-up result would begin. Where it began with one, nothing is
 * left of it: then the model is asked again without that stop, and what stands between the marks is the answer.
 */
export async function* unlessStopped(
  first: AsyncIterable<readonly Event[]>,
  again: () => AsyncIterable<readonly Event[]>,
): AsyncGenerator<readonly Event[], void> {
  let held: Event[] | undefined = []
  for await (const events of first) {
    if (held === undefined) {
      yield events
      continue
    }
    const thoughts = events.filter(({ type }) => type === 'reasoning-delta')
    if (thoughts.length > 0) yield thoughts
    held.push(...events.filter(({ type }) => type !== 'reasoning-delta'))
    if (!held.some(isSaid)) continue
    yield held
    held = undefined
  }
  if (held === undefined) return
  if (held.find((event) => event.type === 'finish')?.reason !== 'stop') return yield held
  const spent = held.find((event) => event.type === 'usage')
  for await (const events of again()) {
    yield spent === undefined
      ? events
      : events.map((event) => (event.type === 'usage' ? { type: event.type, ...addUsage(spent, event) } : event))
  }
}

function isSaid(event: Event): boolean {
  if (event.type === 'text-delta') return event.text.trim() !== ''
  return event.type === 'call-start' || event.type === 'call-error' || event.type === 'refusal-delta'
}
