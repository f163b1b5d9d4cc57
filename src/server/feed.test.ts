import { expect, test } from 'vitest'
import type { Event } from '../protocol/event.ts'
import { createFeed } from './feed.ts'

const say = (text: string): readonly Event[] => [{ type: 'text-delta', text }]
const never = new AbortController().signal

async function* counted(texts: readonly string[], pulls: string[]): AsyncGenerator<readonly Event[]> {
  for (const text of texts) {
    pulls.push(text)
    yield say(text)
  }
}

test('every source is heard to its end, with its choice', async () => {
  const feed = createFeed([counted(['a', 'b'], []), counted([], []), counted(['c'], [])], never)
  const heard: string[] = []
  for (let batch = await feed.next(); batch !== undefined; batch = await feed.next()) {
    heard.push(`${batch.choice}:${JSON.stringify(batch.events)}`)
  }
  expect(heard.sort()).toEqual([
    `0:${JSON.stringify(say('a'))}`,
    `0:${JSON.stringify(say('b'))}`,
    `2:${JSON.stringify(say('c'))}`,
  ])
})

test('a source is not asked before the reader comes back', async () => {
  const pulls: string[] = []
  const feed = createFeed([counted(['a', 'b', 'c'], pulls)], never)
  await feed.next()
  await Promise.resolve()
  expect(pulls).toEqual(['a'])
  await feed.next()
  expect(pulls).toEqual(['a', 'b'])
})

test('an abort is heard at once, though the source does not listen', async () => {
  const abort = new AbortController()
  const deaf = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) }
  const next = createFeed([deaf], abort.signal).next()
  abort.abort(new Error('gone'))
  await expect(next).rejects.toThrow('gone')
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
  const feed = createFeed([patient(), failing], never)
  expect(await feed.next()).toEqual({ choice: 0, events: say('a') })
  fail(new Error('died'))
  await expect(
    (async () => {
      for (;;) await feed.next()
    })(),
  ).rejects.toThrow('died')
  expect(ended).toEqual(['patient'])
})
