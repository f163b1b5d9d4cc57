import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { GatewayError } from '../../src/errors.ts'
import type { Event } from '../../src/protocol/event.ts'
import {
  ask,
  batches,
  chat,
  createManualClock,
  type Running,
  run,
  say,
  scriptTurns,
  stop,
  untilAborted,
} from './scripted.ts'

let running: Running
afterEach(() => running.gateway.close())

const call: readonly Event[] = [
  { type: 'call-start', index: 0, id: 'call_1', name: 'read' },
  { type: 'call-delta', index: 0, json: '{}' },
  { type: 'call-end', index: 0 },
]
const streamed = { ...chat, stream: true }

const frames = (text: string) => text.split('\n\n').filter((frame) => frame !== '')
const contents = (text: string) =>
  frames(text).flatMap((frame) =>
    frame.startsWith('data: {') ? [JSON.parse(frame.slice(6)).choices?.[0]?.delta?.content] : [],
  )

/** Sends a chat request and hands over the bare socket. */
function open(port: number, body: object): Promise<Socket> {
  const text = JSON.stringify(body)
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}`
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${head}\r\n\r\n${text}`, () => resolve(socket)))
    socket.on('error', reject)
  })
}

const received = (socket: Socket): Promise<string> =>
  new Promise((resolve) => socket.once('data', (chunk) => resolve(String(chunk))))

describe('a whole answer', () => {
  test('has the plan in its headers and the completion in its body', async () => {
    running = await run({
      turns: scriptTurns(() => batches([say('Reading.')], call, [{ type: 'finish', reason: 'tool_calls' }])),
    })
    const logged = running.nextRecord()
    const { status, headers, json } = await ask(running.port)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'x-dragoman-mode': 'prompt',
      'x-dragoman-dialect': 'hermes',
      'x-dragoman-upstream': 'local',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    })
    expect(json).toMatchObject({ object: 'chat.completion', model: 'm', choices: [{ finish_reason: 'tool_calls' }] })
    expect(json.id).toMatch(/^chatcmpl-[A-Za-z0-9]{24}$/)
    expect(await logged).toMatchObject({ status: 200, model: 'm', mode: 'prompt', dialect: 'hermes', calls: 1 })
  })

  test('says in a header that a required call did not come', async () => {
    const note: Event = { type: 'note', kind: 'tool_choice_unmet' }
    running = await run({
      turns: scriptTurns(() => batches([say('No.'), note, { type: 'note', kind: 'queued' }, stop])),
    })
    expect((await ask(running.port)).headers['x-dragoman-notice']).toBe('tool_choice_unmet')
  })

  test('that breaks off is an error, not an answer', async () => {
    running = await run({ turns: scriptTurns(() => batches([say('half')])) })
    expect(await ask(running.port)).toMatchObject({ status: 502, json: { error: { code: 'upstream_truncated' } } })
  })
})

describe('a failure before the first event', () => {
  const failures: readonly (readonly [string, () => never | AsyncIterable<readonly Event[]>])[] = [
    [
      'thrown by the start',
      () => {
        throw new GatewayError('rate_limit_exceeded', 'Slow down.', { retryAfterSeconds: 1.2 })
      },
    ],
    [
      'thrown by the events',
      async function* () {
        yield [{ type: 'note', kind: 'queued' }] as const
        throw new GatewayError('rate_limit_exceeded', 'Slow down.', { retryAfterSeconds: 1.2 })
      },
    ],
  ]
  test.each(failures.flatMap(([what, script]) => [chat, streamed].map((body) => [what, body, script] as const)))(
    '%s has a status of its own (%j)',
    async (_what, body, script) => {
      running = await run({ turns: scriptTurns(script) })
      const reply = await ask(running.port, { body })
      expect(reply).toMatchObject({
        status: 429,
        json: { error: { code: 'rate_limit_exceeded', message: 'Slow down.' } },
      })
      expect(reply.headers['retry-after']).toBe('2')
    },
  )

  test('that nobody expected says no more than that, and its cause is logged', async () => {
    running = await run({
      turns: scriptTurns(() => {
        throw new TypeError('secret detail')
      }),
    })
    const logged = running.nextRecord()
    const reply = await ask(running.port, { body: streamed })
    expect(reply).toMatchObject({ status: 500, json: { error: { code: 'internal_error' } } })
    expect(reply.text).not.toContain('secret detail')
    expect(await logged).toMatchObject({ code: 'internal_error', cause: new TypeError('secret detail') })
  })
})

describe('a streamed answer', () => {
  test('arrives as chunks that end with [DONE]', async () => {
    running = await run({ turns: scriptTurns(() => batches([say('a')], [say('b')], [stop])) })
    const { headers, text } = await ask(running.port, { body: streamed })
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
      'cache-control': 'no-store',
      'x-dragoman-mode': 'prompt',
    })
    expect(contents(text)).toEqual(['', 'a', 'b', undefined])
    expect(frames(text).at(-1)).toBe('data: [DONE]')
  })

  test('that fails after the first byte ends with one error and no [DONE]', async () => {
    running = await run({
      turns: scriptTurns(async function* () {
        yield [say('half')]
        throw new GatewayError('upstream_truncated', 'It died.')
      }),
    })
    const logged = running.nextRecord()
    const { status, text } = await ask(running.port, { body: streamed })
    expect(status).toBe(200)
    expect(JSON.parse(frames(text).at(-1)?.slice(6) ?? '')).toEqual({
      error: { message: 'It died.', type: 'server_error', param: null, code: 'upstream_truncated' },
    })
    expect(text).not.toContain('[DONE]')
    expect(text).not.toMatch(/"finish_reason":"/)
    expect(await logged).toMatchObject({ status: 200, code: 'upstream_truncated' })
  })

  test('that ends without a finish is an error too', async () => {
    running = await run({ turns: scriptTurns(() => batches([say('half')])) })
    const { text } = await ask(running.port, { body: streamed })
    expect(text).toContain('upstream_truncated')
    expect(text).not.toContain('[DONE]')
  })

  test('goes out in one write per batch', async () => {
    const batch = Array.from({ length: 50 }, (_, n): readonly Event[] => [
      say(String(n)),
      ...call.map((event) => ({ ...event, index: n })),
    ])
    const turns = scriptTurns(async function* ({ signal }) {
      yield batch.flat()
      yield await untilAborted(signal)
    })
    running = await run({ turns })
    const socket = await open(running.port, streamed)
    const first = await received(socket)
    socket.destroy()
    // One HTTP chunk: the headers, one size line, everything, and no second size line.
    expect(first).toContain('"content":"49"')
    expect(first.match(/\r\n[0-9a-f]+\r\n/g)).toHaveLength(1)
  })
})

describe('the clock', () => {
  const held = () => {
    let release = (_events: readonly Event[]): void => undefined
    const first = new Promise<readonly Event[]>((resolve) => {
      release = resolve
    })
    const turns = scriptTurns(async function* ({ signal }) {
      yield await Promise.race([first, untilAborted(signal)])
      yield await untilAborted(signal)
    })
    return { turns, release: (events: readonly Event[]) => release(events) }
  }

  test('sends headers and a comment after 10 s of silence, and a comment every 15 s from then on', async () => {
    const clock = createManualClock()
    const { turns, release } = held()
    running = await run({ turns, clock })
    const socket = await open(running.port, streamed)
    await vi.waitFor(() => expect(turns.starts).toHaveLength(1))
    const head = received(socket)
    clock.advance(10_000)
    expect(await head).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*: ping\n\n/)
    const second = received(socket)
    clock.advance(15_000)
    expect(await second).toContain(': ping\n\n')
    const third = received(socket)
    release([say('at last')])
    expect(await third).toMatch(/"role":"assistant"[\s\S]*at last/)
    const fourth = received(socket)
    clock.advance(14_999)
    clock.advance(1)
    expect((await fourth).match(/: ping/g)).toHaveLength(1)
    socket.destroy()
  })

  test('a failure after the held headers is an event', async () => {
    const clock = createManualClock()
    let fail = (_error: Error): void => undefined
    const turns = scriptTurns(
      () =>
        new Promise((_, reject) => {
          fail = reject
        }),
    )
    running = await run({ turns, clock })
    const reply = ask(running.port, { body: streamed })
    await vi.waitFor(() => expect(turns.starts).toHaveLength(1))
    clock.advance(10_000)
    fail(new GatewayError('upstream_unreachable', 'Nobody there.'))
    expect(await reply).toMatchObject({ status: 200, text: expect.stringContaining('"code":"upstream_unreachable"') })
  })
})

describe('a client that goes away', () => {
  const whenAborted = (signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

  test.each([
    ['before the first byte of a stream', streamed],
    ['before a whole answer', chat],
  ])('%s ends the turn', async (_when, body) => {
    const turns = scriptTurns(async function* ({ signal }) {
      yield await untilAborted(signal)
    })
    running = await run({ turns })
    const logged = running.nextRecord()
    const socket = await open(running.port, body)
    await vi.waitFor(() => expect(turns.starts).toHaveLength(1))
    socket.destroy()
    expect((await logged).status).toBe(499)
    expect(turns.starts[0]?.context.signal.aborted).toBe(true)
  })

  test('while the turn is being started ends it, even if it does not listen', async () => {
    const turns = scriptTurns(() => new Promise(() => undefined))
    running = await run({ turns })
    const logged = running.nextRecord()
    const socket = await open(running.port, streamed)
    await vi.waitFor(() => expect(turns.starts).toHaveLength(1))
    socket.destroy()
    expect((await logged).status).toBe(499)
  })

  test('in the middle of a stream ends the turn within 100 ms', async () => {
    let ended = (): void => undefined
    const finished = new Promise<void>((resolve) => {
      ended = resolve
    })
    const turns = scriptTurns(async function* ({ signal }) {
      try {
        yield [say('a')]
        await untilAborted(signal)
      } finally {
        ended()
      }
    })
    running = await run({ turns })
    const socket = await open(running.port, streamed)
    await received(socket)
    const gone = performance.now()
    socket.destroy()
    const context = turns.starts[0]?.context
    if (context !== undefined && !context.signal.aborted) await whenAborted(context.signal)
    await finished
    expect(performance.now() - gone).toBeLessThan(100)
  })

  test('in the middle of its own body does no harm', async () => {
    running = await run({ turns: scriptTurns(() => batches([stop])) })
    const logged = running.nextRecord()
    const socket = connect(running.port, '127.0.0.1', () =>
      socket.write(
        'POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n' +
          'content-length: 100\r\n\r\n{"mo',
        () => socket.destroy(),
      ),
    )
    expect((await logged).status).toBe(499)
    expect((await ask(running.port)).status).toBe(200)
  })
})

test('a client that does not read stops the turn from being read', async () => {
  const text = 'x'.repeat(64 * 1024)
  let pulled = 0
  const turns = scriptTurns(async function* () {
    for (; pulled < 2000; pulled++) yield [say(text)]
    yield [stop]
  })
  running = await run({ turns })
  let length = 0
  const sent = request({
    host: '127.0.0.1',
    port: running.port,
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json' },
    agent: false,
  })
  sent.end(JSON.stringify(streamed))
  const response = await new Promise<IncomingMessage>((resolve) => sent.on('response', resolve))
  response.pause()
  let before = -1
  await vi.waitFor(
    () => {
      const now = pulled
      const still = now === before
      before = now
      expect(still).toBe(true)
    },
    { interval: 50, timeout: 5000 },
  )
  expect(pulled).toBeLessThan(1000)
  response.on('data', (chunk: Buffer) => (length += chunk.length)).resume()
  await new Promise((resolve) => response.on('end', resolve))
  expect(pulled).toBe(2000)
  expect(length).toBeGreaterThan(2000 * text.length)
})

describe('two answers', () => {
  const two = { ...chat, n: 2 }
  const usage: Event = { type: 'usage', promptTokens: 3, completionTokens: 2 }
  const script = (nth: number) => batches([say(`answer ${nth}`)], [usage, stop])

  test('are two turns and two choices', async () => {
    const turns = scriptTurns((_, nth) => script(nth))
    running = await run({ turns })
    const { json } = await ask(running.port, { body: two })
    expect(json.choices.map((choice: { message: { content: string } }) => choice.message.content)).toEqual([
      'answer 0',
      'answer 1',
    ])
    expect(json.usage).toMatchObject({ prompt_tokens: 6, completion_tokens: 4, total_tokens: 10 })
    expect(turns.starts).toHaveLength(2)
  })

  test('are interleaved in one stream, each with its index', async () => {
    running = await run({ turns: scriptTurns((_, nth) => script(nth)) })
    const { text } = await ask(running.port, { body: { ...two, stream: true } })
    const chunks = frames(text)
      .slice(0, -1)
      .map((frame) => JSON.parse(frame.slice(6)).choices[0])
    for (const index of [0, 1]) {
      const own = chunks.filter((chunk) => chunk.index === index)
      expect(own.map((chunk) => chunk.delta.content).join('')).toBe(`answer ${index}`)
      expect(own.at(-1)?.finish_reason).toBe('stop')
    }
    expect(frames(text).at(-1)).toBe('data: [DONE]')
  })

  test('fail together, and the other turn is ended', async () => {
    const turns = scriptTurns((context, nth) =>
      nth === 0
        ? (async function* () {
            yield await untilAborted(context.signal)
          })()
        : {
            [Symbol.asyncIterator]: () => ({
              next: () => Promise.reject(new GatewayError('upstream_overloaded', 'Full.')),
            }),
          },
    )
    running = await run({ turns })
    expect((await ask(running.port, { body: two })).status).toBe(503)
    expect(turns.starts[0]?.context.signal.aborted).toBe(true)
  })
})

describe('closing', () => {
  test('lets an answer finish and takes no new one', async () => {
    let release = (): void => undefined
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const turns = scriptTurns(async function* () {
      await gate
      yield [say('late'), stop]
    })
    running = await run({ turns, timeouts: { drainMs: 60_000 } })
    const reply = ask(running.port)
    await vi.waitFor(() => expect(turns.starts).toHaveLength(1))
    const closed = running.gateway.close()
    await expect(ask(running.port)).rejects.toThrow()
    release()
    expect(await reply).toMatchObject({ status: 200, json: { choices: [{ message: { content: 'late' } }] } })
    await closed
  })

  test('ends what outlasts the grace, and says why', async () => {
    const clock = createManualClock()
    const turns = scriptTurns(async function* ({ signal }) {
      yield [say('a')]
      yield await untilAborted(signal)
    })
    running = await run({ turns, clock, timeouts: { drainMs: 1000 } })
    const socket = await open(running.port, streamed)
    await received(socket)
    const rest = received(socket)
    const closed = running.gateway.close()
    clock.advance(999)
    expect(turns.starts[0]?.context.signal.aborted).toBe(false)
    clock.advance(1)
    expect(await rest).toContain('"code":"draining"')
    await closed
  })
})
