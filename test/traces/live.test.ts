import { type IncomingMessage, request } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import type { Growth, Page } from '../../src/traces/api.ts'
import type { Exchange } from '../../src/traces/exchange.ts'
import type { UpstreamEvent } from '../../src/upstreams/upstream.ts'
import { ask } from '../server/scripted.ts'
import { readFile, runTraced, saying, type Traced } from './traced.ts'

let traced: Traced | undefined
afterEach(async () => {
  await traced?.gateway.close()
  traced = undefined
})

/** A model that says what it is handed, when it is. */
function createSpeaker() {
  const waiting: ((value: readonly UpstreamEvent[]) => void)[] = []
  let asked: () => void = () => undefined
  const begun = new Promise<void>((resolve) => {
    asked = resolve
  })
  return {
    begun,
    say: (...events: UpstreamEvent[]) => waiting.shift()?.(events),
    async *chat(): AsyncGenerator<readonly UpstreamEvent[]> {
      for (;;) {
        const next = new Promise<readonly UpstreamEvent[]>((resolve) => waiting.push(resolve))
        asked()
        const events = await next
        yield events
        if (events.some(({ type }) => type === 'finish')) return
      }
    },
  }
}

interface Told {
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  readonly data: any
}

/** An event stream, event by event; the clock is moved until one comes. */
function follow(path: string): Promise<{ next(): Promise<Told | undefined>; stop(): void }> {
  return new Promise((resolve, reject) => {
    const told: Told[] = []
    let text = ''
    let isOver = false
    const sent = request({ host: '127.0.0.1', port: traced?.port, path, agent: false }, (response: IncomingMessage) => {
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        for (let at = text.indexOf('\n\n'); at !== -1; at = text.indexOf('\n\n')) {
          const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, at)) ?? []
          if (event !== undefined) told.push({ event, data: JSON.parse(data ?? '') })
          text = text.slice(at + 2)
        }
      })
      response.on('close', () => {
        isOver = true
      })
      resolve({
        async next() {
          while (told.length === 0 && !isOver) {
            traced?.clock.advance(100)
            await new Promise((go) => setImmediate(go))
          }
          return told.shift()
        },
        stop: () => sent.destroy(),
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

const question = { model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }], tools: [readFile] }

test('whoever follows all is told when an exchange begins and when it is over', async () => {
  traced = await runTraced({ script: () => saying('Hello.') })
  const all = await follow('/inspector/api/live')
  await ask(traced.port, { body: question })
  const states: string[] = []
  while (states.at(-1) !== 'done') {
    const told = await all.next()
    expect(told?.event).toBe('summary')
    states.push(told?.data.state)
  }
  all.stop()
})

test('one exchange is followed from its first word to its last', async () => {
  const speaker = createSpeaker()
  traced = await runTraced({ script: () => speaker.chat() })
  const answer = ask(traced.port, { body: question, headers: { 'x-request-id': 'play-1' } })
  await speaker.begun
  const { exchanges } = await traced.get<Page>('/inspector/api/exchanges?request=play-1')
  expect(exchanges).toMatchObject([{ requestId: 'play-1', state: 'open', service: 'local', mode: 'prompt' }])
  const one = await follow(`/inspector/api/live?id=${exchanges[0]?.id}`)
  const first = (await one.next())?.data as Exchange
  expect(first).toMatchObject({ state: 'open', attempts: [{ said: { text: '' } }] })
  speaker.say({ type: 'text', text: 'Hello <tool_' })
  const second = (await one.next())?.data as Growth
  expect(second).toMatchObject({ attempt: 0, said: { text: 'Hello <tool_', pieces: [[expect.any(Number), 12]] } })
  speaker.say({ type: 'text', text: 'call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>' })
  const third = (await one.next())?.data as Growth
  expect(third.said?.text).toMatch(/^call>/)
  expect(third.got?.calls).toMatchObject([{ name: 'read_file', isComplete: true }])
  speaker.say({ type: 'finish', reason: 'stop' })
  await answer
  let last = await one.next()
  while (last?.event === 'grown') last = await one.next()
  expect(last).toMatchObject({ event: 'exchange', data: { state: 'done', calls: 1 } })
  expect(await one.next()).toBeUndefined()
})

test('a gateway that closes waits for nobody who only looks', async () => {
  traced = await runTraced({ script: () => saying('Hello.'), gateway: { timeouts: { drainMs: 60_000 } } })
  const all = await follow('/inspector/api/live')
  expect(traced.gateway.underWay).toBe(0)
  await traced.gateway.close()
  expect(await all.next()).toBeUndefined()
})

test('HEAD of a stream ends', async () => {
  traced = await runTraced({ script: () => saying('Hello.') })
  expect((await ask(traced.port, { method: 'HEAD', path: '/inspector/api/live' })).status).toBe(200)
})

test('what is looked at is not told in the log, what fails there is', async () => {
  const lines: string[] = []
  const log = { exchange: ({ path }: { path: string }) => void lines.push(path), crash: () => undefined }
  traced = await runTraced({ script: () => saying('Hello.'), gateway: { log } })
  await ask(traced.port, { method: 'GET', path: '/inspector/api/exchanges' })
  await ask(traced.port, { method: 'GET', path: '/inspector/api/nothing' })
  expect(lines).toEqual(['/inspector/api/nothing'])
})
