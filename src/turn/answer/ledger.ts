import type { Event } from '../../protocol/event.ts'

type Source = 'text' | 'native'

/** Numbers the calls of an answer in the order they start, wherever they were found, and remembers those that end. */
export function createLedger() {
  const numbers = new Map<string, number>()
  const names = new Map<number, string>()
  const ended: string[] = []
  return {
    enter(source: Source, event: Event): Event {
      if (!('index' in event) || event.index === undefined) return event
      const key = `${source} ${event.index}`
      const index = numbers.get(key) ?? numbers.size
      numbers.set(key, index)
      if (event.type === 'call-start') names.set(index, event.name)
      if (event.type === 'call-end') ended.push(names.get(index) ?? '')
      return { ...event, index }
    },
    /** The names of the calls that were completed. */
    ended: ended as readonly string[],
  }
}
