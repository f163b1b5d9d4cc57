import type { Event } from '../../../protocol/event.ts'

type Source = 'text' | 'native'

/** Numbers the calls of an answer in the order they start, wherever they were found, and remembers those that end. */
export function createLedger() {
  const numbers: Readonly<Record<Source, number[]>> = { text: [], native: [] }
  let count = 0
  const names: string[] = []
  const ended: string[] = []

  function enterOne(known: number[], event: Event): Event {
    if (!('index' in event) || event.index === undefined) return event
    const index = known[event.index] ?? count++
    known[event.index] = index
    if (event.type === 'call-start') names[index] = event.name
    if (event.type === 'call-end') ended.push(names[index] ?? '')
    return event.index === index ? event : { ...event, index }
  }

  return {
    enter(source: Source, events: readonly Event[]): readonly Event[] {
      const [only] = events
      if (events.length === 1 && only !== undefined) {
        const entered = enterOne(numbers[source], only)
        return entered === only ? events : [entered]
      }
      return events.some(hasIndex) ? events.map((event) => enterOne(numbers[source], event)) : events
    },
    /** The names of the calls that were completed. */
    ended: ended as readonly string[],
  }
}

function hasIndex(event: Event): boolean {
  return 'index' in event && event.index !== undefined
}
