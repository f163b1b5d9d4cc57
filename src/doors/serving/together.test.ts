import { expect, test } from 'vitest'
import type { Event } from '../../protocol/event.ts'
import { readTogether } from './together.ts'

const say = (text: string): readonly Event[] => [{ type: 'text-delta', text }]
const never = new AbortController().signal

const turnsOf = (sources: readonly AsyncIterable<readonly Event[]>[]) => sources.map((events) => ({ events }))

async function* counted(texts: readonly string[], pulls: string[]): AsyncGenerator<readonly Event[]> {
  for (const text of texts) {
    pulls.push(text)
    yield say(text)
  }
}

test('every source is heard to its end, with its choice', async () => {
  const heard: string[] = []
  await readTogether(
    turnsOf([counted(['a', 'b'], []), counted([], []), counted(['c'], [])]),
    never,
    (events, choice) => {
      heard.push(`${choice}:${JSON.stringify(events)}`)
    },
  )
  expect(heard.sort()).toEqual([
    `0:${JSON.stringify(say('a'))}`,
    `0:${JSON.stringify(say('b'))}`,
    `2:${JSON.stringify(say('c'))}`,
  ])
})

test('a source is not asked before its last batch has found room', async () => {
  const pulls: string[] = []
  const batches: (() => void)[] = []
  const ended = readTogether(
    turnsOf([counted(['a', 'b', 'c'], pulls)]),
    never,
    () => new Promise<void>((resolve) => batches.push(resolve)),
  )
  for (const sofar of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
    await new Promise(setImmediate)
    expect(pulls).toEqual(sofar)
    batches.shift()?.()
  }
  await ended
})

test('what fails while it is taken ends all', async () => {
  const pulls: string[] = []
  const refuse = () => {
    throw new Error('no room')
  }
  await expect(readTogether(turnsOf([counted(['a', 'b'], pulls)]), never, refuse)).rejects.toThrow('no room')
  expect(pulls).toEqual(['a'])
})

test('an abort is heard at once, though the source does not listen', async () => {
  const abort = new AbortController()
  const deaf = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) }
  const ended = readTogether(turnsOf([deaf]), abort.signal, () => undefined)
  abort.abort(new Error('gone'))
  await expect(ended).rejects.toThrow('gone')
})

test('what one source throws ends the others', async () => {
  const ended: string[] = []
  async function* patient(): AsyncGenerator<readonly Event[]> {
    try {
      yield say('a')
      yield say('b')
    } finally {
      ended.push('patient')
    }
  }
  let fail = (_error: Error): void => undefined
  const failing = {
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise<never>((_, reject) => {
          fail = reject
        }),
    }),
  }
  const heard: unknown[] = []
  await expect(
    readTogether(turnsOf([patient(), failing]), never, (events, choice) => {
      heard.push({ choice, events })
      fail(new Error('died'))
      return new Promise(() => undefined)
    }),
  ).rejects.toThrow('died')
  expect(heard).toEqual([{ choice: 0, events: say('a') }])
  expect(ended).toEqual(['patient'])
})
