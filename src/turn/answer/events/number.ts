import type { Event } from '../../../protocol/event.ts'
import type { Stage } from '../stage.ts'

export interface Numbering extends Stage {
  /** The names of the calls that were completed. */
  readonly ended: readonly string[]
}

/** Numbers the calls that leave, in the order they start, wherever they were found. */
export function createNumbering(): Numbering {
  const numbers = new Map<number, number>()
  const names: string[] = []
  const ended: string[] = []

  function numbered(event: Event): Event {
    if (!('index' in event) || event.index === undefined) return event
    const index = numbers.get(event.index) ?? numbers.size
    numbers.set(event.index, index)
    if (event.type === 'call-start') names[index] = event.name
    if (event.type === 'call-end') ended.push(names[index] ?? '')
    return { ...event, index }
  }

  return { push: (events) => events.map(numbered), ended }
}
