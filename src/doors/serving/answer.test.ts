import { expect, test } from 'vitest'
import { systemClock } from '../../clock.ts'
import { GatewayError } from '../../errors.ts'
import type { Event } from '../../protocol/event.ts'
import type { Request } from '../../protocol/request.ts'
import type { Exchange, StreamPrinter } from '../door.ts'
import { answerExchange, type ResponseWriter, readConcurrently } from './answer.ts'
import { ChangeLog } from './change-log.ts'

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
  const writer: ResponseWriter & { begun: boolean } = {
    begun: false,
    hold: () => undefined,
    write(text) {
      writer.begun = true
      writes.push(text)
      return undefined
    },
    end(text) {
      writes.push(`${text}$`)
    },
  }
  const plan = { mode: 'none', upstream: 'u', model: 'm' } as const
  const left = [...sources]
  const signal = new AbortController().signal
  const request: Request = { model: 'm', messages: [], tools: [], sampling: {}, extra: {} }
  const exchange: Exchange = {
    model: 'm',
    streaming: true,
    reportsUsage: false,
    requests: sources.map(() => request),
    createStream: () => printerWith(end),
    printBody: () => '',
  }
  await answerExchange(exchange, {
    turns: { start: async () => ({ events: left.shift() ?? spoken(), plan, promptTokens: () => 1 }) },
    signal,
    clock: systemClock,
    changeLog: new ChangeLog(),
    recording: undefined,
    turnContext: () => ({ signal }),
    createWriter: () => writer,
    onStart: () => undefined,
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

const words = (text: string): readonly Event[] => [{ type: 'text-delta', text }]
const never = new AbortController().signal

const turnsOf = (sources: readonly AsyncIterable<readonly Event[]>[]) => sources.map((events) => ({ events }))

async function* counted(texts: readonly string[], pulls: string[]): AsyncGenerator<readonly Event[]> {
  for (const text of texts) {
    pulls.push(text)
    yield words(text)
  }
}

test('every answer is read to its end, with its choice', async () => {
  const heard: string[] = []
  await readConcurrently(
    turnsOf([counted(['a', 'b'], []), counted([], []), counted(['c'], [])]),
    never,
    (events, choice) => {
      heard.push(`${choice}:${JSON.stringify(events)}`)
    },
  )
  expect(heard.sort()).toEqual([
    `0:${JSON.stringify(words('a'))}`,
    `0:${JSON.stringify(words('b'))}`,
    `2:${JSON.stringify(words('c'))}`,
  ])
})

test('a source is not asked before its last batch has found room', async () => {
  const pulls: string[] = []
  const batches: (() => void)[] = []
  const ended = readConcurrently(
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
  await expect(readConcurrently(turnsOf([counted(['a', 'b'], pulls)]), never, refuse)).rejects.toThrow('no room')
  expect(pulls).toEqual(['a'])
})

test('an abort ends it at once, though the source ignores it', async () => {
  const abort = new AbortController()
  const deaf = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) }
  const ended = readConcurrently(turnsOf([deaf]), abort.signal, () => undefined)
  abort.abort(new Error('gone'))
  await expect(ended).rejects.toThrow('gone')
})

test('what one source throws ends the others', async () => {
  const ended: string[] = []
  async function* patient(): AsyncGenerator<readonly Event[]> {
    try {
      yield words('a')
      yield words('b')
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
    readConcurrently(turnsOf([patient(), failing]), never, (events, choice) => {
      heard.push({ choice, events })
      fail(new Error('died'))
      return new Promise(() => undefined)
    }),
  ).rejects.toThrow('died')
  expect(heard).toEqual([{ choice: 0, events: words('a') }])
  expect(ended).toEqual(['patient'])
})
