import { on } from 'node:events'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type QwenMessage, startQwenDouble } from '../doubles/qwen-chat.ts'
import { startGateway } from '../dragoman.ts'
import { done, head, parts, wholeAnswer } from '../faults/answer.ts'
import { type Step, startService } from '../faults/service.ts'
import { need } from '../needs.ts'
import { startRedis } from '../qwen/redis-server.ts'
import { until } from '../until.ts'
import { connectionMap, settings, startNginx } from './nginx.ts'

/** Two gateways that share a Redis, behind nginx: to clients they are one. */

const key = 'sk-several-0123456789'
const few = 'sk-several-few-0123456789'

/** Names every fruit it has ever been told: one that was lost is not named. */
const remember = (chain: readonly QwenMessage[]): string =>
  `I know ${[
    ...new Set(
      chain
        .map(({ content }) => content)
        .join('\n')
        .match(/fruit-\d+/g),
    ),
  ].join(' ')}.`

let redis: Awaited<ReturnType<typeof startRedis>>
let qwen: Awaited<ReturnType<typeof startQwenDouble>>
let service: Awaited<ReturnType<typeof startService>>
let gateways: readonly Awaited<ReturnType<typeof startGateway>>[] = []
let nginx: Awaited<ReturnType<typeof startNginx>>
let goOn: () => void = () => undefined
const logs = ['', '']

beforeAll(async () => {
  need('redis-server')
  redis = await startRedis()
  qwen = await startQwenDouble({ answer: remember })
  const rest = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const { intro, begin, half, rest: last, finish } = parts.native
  service = await startService(
    new Map<string, readonly Step[]>([
      ['good', [head, wholeAnswer('native'), done, 'END']],
      ['halting', [head + intro + begin + half, { until: () => rest }, last + finish + done, 'END']],
    ]),
  )
  const config = {
    keys: [
      { name: 'all', key },
      { name: 'few', key: few, requests_per_minute: 25 },
    ],
    upstreams: {
      qwen: { kind: 'qwen-chat', url: qwen.url, key: 'token-of-ada', mode: 'stateful' },
      service: { kind: 'openai', url: service.url },
      stand: { kind: 'rehearsal' },
    },
    models: {
      'qwen3-max': { upstream: 'qwen' },
      good: { upstream: 'service' },
      halting: { upstream: 'service' },
      stand: { upstream: 'stand' },
    },
    sessions: { store: redis.url },
    metrics: 'open',
    timeouts: { drain_delay: '1s' },
  }
  gateways = await Promise.all([startGateway({ config }), startGateway({ config })])
  for (const [nth, { child }] of gateways.entries())
    child.stderr.on('data', (piece: string) => {
      logs[nth] += piece
    })
  nginx = await startNginx(gateways.map(({ origin }) => origin))
}, 240_000)

afterAll(async () => {
  await nginx?.stop()
  await Promise.all(gateways.map((gateway) => gateway.stop()))
  await service?.close()
  await qwen?.close()
  await redis?.die()
})

const post = (path: string, body: object, secret = key) =>
  fetch(`${nginx.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify(body),
  })

async function served(nth: number, door: string): Promise<number> {
  const text = await (await fetch(`${gateways[nth]?.origin}/metrics`)).text()
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith(`dragoman_requests_total{door="${door}",status="200"`))
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

test('responses go on from each other, whichever gateway made them', async () => {
  let id: string | undefined
  for (let nth = 0; nth < 6; nth += 1) {
    const previous = id === undefined ? {} : { previous_response_id: id }
    const response = await post('/v1/responses', { model: 'stand', input: `fruit-${nth}`, ...previous })
    expect(response.status).toBe(200)
    id = ((await response.json()) as { id: string }).id
  }
  expect([await served(0, 'responses'), await served(1, 'responses')]).toEqual([3, 3])
})

test('a conversation that the service keeps is one chat there', async () => {
  const messages: { role: string; content: string }[] = []
  for (let nth = 1; nth <= 4; nth += 1) {
    messages.push({ role: 'user', content: `Remember fruit-${nth}.` })
    const { choices } = (await (await post('/v1/chat/completions', { model: 'qwen3-max', messages })).json()) as {
      choices: { message: { content: string } }[]
    }
    const fruits = Array.from({ length: nth }, (_, index) => `fruit-${index + 1}`)
    const content = choices[0]?.message.content ?? ''
    expect(content).toBe(`I know ${fruits.join(' ')}.`)
    messages.push({ role: 'assistant', content })
  }
  expect(new Set(qwen.questions.map(({ body }) => body['chat_id'])).size).toBe(1)
})

test('200 clients at once get exactly what their key may have', async () => {
  const ask = async () => {
    const body = { model: 'stand', messages: [{ role: 'user', content: 'hi' }] }
    const response = await post('/v1/chat/completions', body, few)
    await response.text()
    return response.status
  }
  const statuses = await Promise.all(Array.from({ length: 200 }, ask))
  expect([200, 429].map((status) => statuses.filter((each) => each === status).length)).toEqual([25, 175])
})

test('a stream comes through as it is said', async () => {
  const body = { model: 'halting', stream: true, messages: [{ role: 'user', content: 'hi' }] }
  const response = await post('/v1/chat/completions', body)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let said = ''
  // The service has not finished, and will not before its first words are here.
  while (!said.includes('Looking.')) said += (await reader?.read())?.value ?? ''
  expect(said).not.toContain('[DONE]')
  goOn()
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) said += read.value
  expect(said).toContain('data: [DONE]')
})

test('a WebSocket comes through', async () => {
  const socket = new WebSocket(`${nginx.origin.replace('http', 'ws')}/v1/responses`, {
    headers: { authorization: `Bearer ${key}` },
  })
  socket.on('open', () => socket.send(JSON.stringify({ type: 'response.create', model: 'stand', input: 'hi' })))
  const types: string[] = []
  for await (const [data] of on(socket, 'message')) {
    types.push((JSON.parse(String(data)) as { type: string }).type)
    if (types.at(-1) === 'response.completed') break
  }
  expect(types[0]).toBe('response.created')
  socket.close()
})

test('without its Redis it goes on, says so, and counts together again when it is back', async () => {
  const ask = async () =>
    (await post('/v1/chat/completions', { model: 'stand', messages: [{ role: 'user', content: 'hi' }] })).status
  const told = (state: string) => logs.every((log) => log.includes(`"service":"redis","state":"${state}"`))
  await redis.die()
  const statuses = await Promise.all(Array.from({ length: 10 }, ask))
  expect(new Set(statuses)).toEqual(new Set([200]))
  const askFew = () =>
    post('/v1/chat/completions', { model: 'stand', messages: [{ role: 'user', content: 'hi' }] }, few)
  await until(async () => {
    await askFew()
    return told('down')
  })
  await redis.comeBack()
  await until(async () => {
    await askFew()
    return told('back')
  })
  const response = await post('/v1/responses', { model: 'stand', input: 'hi' })
  const { id } = (await response.json()) as { id: string }
  for (let nth = 0; nth < 4; nth += 1)
    expect((await post('/v1/responses', { model: 'stand', input: 'on', previous_response_id: id })).status).toBe(200)
}, 30_000)

test('a gateway that stops takes nobody with it', async () => {
  let isOver = false
  const statuses: number[] = []
  const clients = Array.from({ length: 5 }, async () => {
    while (!isOver) {
      const response = await post('/v1/chat/completions', {
        model: 'good',
        stream: true,
        messages: [{ role: 'user', content: 'hi' }],
      })
      const text = await response.text()
      statuses.push(text.includes('[DONE]') ? response.status : 0)
    }
  })
  const [first] = gateways
  await until(() => statuses.length > 20)
  first?.child.kill('SIGTERM')
  await until(() => first?.child.exitCode === 0)
  const soFar = statuses.length
  await until(() => statuses.length > soFar + 10)
  isOver = true
  await Promise.all(clients)
  expect(new Set(statuses)).toEqual(new Set([200]))
}, 30_000)

test('the page about running it for others has these settings', () => {
  const page = readFileSync('docs/deploy.md', 'utf8').replace(/^ +/gm, '')
  for (const line of `${connectionMap}\n${settings}`.trim().split('\n')) expect(page).toContain(line.trim())
})
