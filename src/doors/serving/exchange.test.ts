import { expect, test } from 'vitest'
import { systemClock } from '../../clock.ts'
import { GatewayError } from '../../errors.ts'
import type { Event } from '../../protocol/event.ts'
import type { StreamPrinter } from '../door.ts'
import { type Outlet, tellStream } from './exchange.ts'

type Batch = readonly Event[]

const say = (text: string): Event => ({ type: 'text-delta', text })
const finish: Event = { type: 'finish', reason: 'stop' }

/** Prints words as they are, a finish as a full stop. */
function printerWith(end: StreamPrinter['end']): StreamPrinter {
  const print = (event: Event) => (event.type === 'text-delta' ? event.text : event.type === 'finish' ? '.' : '')
  return {
    contentType: 'text/plain',
    open: () => '[',
    push: (_, events) => events.map(print).join(''),
    end,
    fail: ({ code }) => `!${code}`,
  }
}

/** What reaches the client, write by write. */
async function writesOf(sources: readonly AsyncIterable<Batch>[], end: StreamPrinter['end'] = () => ']') {
  const writes: string[] = []
  const outlet: Outlet & { begun: boolean } = {
    begun: false,
    hold: () => undefined,
    write(text) {
      outlet.begun = true
      writes.push(text)
      return undefined
    },
    end(text) {
      writes.push(`${text}$`)
    },
  }
  const plan = { mode: 'none', upstream: 'u', model: 'm' } as const
  await tellStream(outlet, printerWith(end), {
    start: async () => sources.map((events) => ({ events, plan, promptTokens: () => 1 })),
    hear: () => undefined,
    signal: new AbortController().signal,
    failed: () => undefined,
    clock: systemClock,
  })
  return writes
}

async function* spoken(...batches: readonly Batch[]): AsyncGenerator<Batch> {
  yield* batches
}

async function* spokenAfter(promise: Promise<unknown>, ...batches: readonly Batch[]): AsyncGenerator<Batch> {
  await promise
  yield* batches
}

async function* broken(batch: Batch, error: GatewayError): AsyncGenerator<Batch> {
  yield batch
  throw error
}

test.each<[string, readonly Batch[], readonly string[]]>([
  ['an answer that came at once leaves at once', [[say('a'), finish]], ['[a.]$']],
  ['what came with the finish leaves with the end', [[say('a')], [say('b'), finish]], ['[a', 'b.]$']],
  ['a finish alone leaves with the end', [[say('a')], [finish]], ['[a', '.]$']],
])('%s', async (_, batches, expected) => {
  expect(await writesOf([spoken(...batches)])).toEqual(expected)
})

test('the answer that finishes first does not wait for the other', async () => {
  let goOn: (value: unknown) => void = () => undefined
  const slow = new Promise((resolve) => {
    goOn = resolve
  })
  const writes = writesOf([spoken([say('a'), finish]), spokenAfter(slow, [say('b'), finish])])
  await new Promise(setImmediate)
  goOn(undefined)
  expect(await writes).toEqual(['[a.', 'b.]$'])
})

test('words do not wait for an end that takes its time', async () => {
  expect(await writesOf([spoken([say('a'), finish])], async () => ']')).toEqual(['[a.', ']$'])
})

test('a failure after words comes after them', async () => {
  const error = new GatewayError('upstream_error', 'It broke.')
  expect(await writesOf([broken([say('a')], error)])).toEqual(['[a', '!upstream_error$'])
})

test('an end that fails takes no words with it', async () => {
  const fail = () => {
    throw new GatewayError('upstream_error', 'It broke.')
  }
  expect(await writesOf([spoken([say('a')], [say('b'), finish])], fail)).toEqual(['[a', 'b.!upstream_error$'])
})
