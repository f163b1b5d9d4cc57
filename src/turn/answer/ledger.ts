import type { Event } from '../../protocol/event.ts'

type Source = 'text' | 'native'

/** Numbers the calls of an answer in the order they start, wherever they were found, and remembers those that end. */
export function createLedger() {
  const numbers: Readonly<Record<Source, Map<number, number>>> = { text: new Map(), native: new Map() }
  let count = 0
  const names = new Map<number, string>()
  const ended: string[] = []

  function enterOne(known: Map<number, number>, event: Event): Event {
    if (!('index' in event) || event.index === undefined) return event
    let index = known.get(event.index)
    if (index === undefined) {
      index = count++
      known.set(event.index, index)
    }
    if (event.type === 'call-start') names.set(index, event.name)
    if (event.type === 'call-end') ended.push(names.get(index) ?? '')
    return event.index === index ? event : { ...event, index }
  }

  return {
    enter(source: Source, events: readonly Event[]): readonly Event[] {
      return events.some(hasIndex) ? events.map((event) => enterOne(numbers[source], event)) : events
    },
    /** The names of the calls that were completed. */
    ended: ended as readonly string[],
  }
}

function hasIndex(event: Event): boolean {
  return 'index' in event && event.index !== undefined
}
