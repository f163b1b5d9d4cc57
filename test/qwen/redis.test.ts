import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type QwenMessage, startQwenDouble } from '../doubles/qwen-chat.ts'
import { startGateway } from '../dragoman.ts'
import { need } from '../needs.ts'
import { startRedis } from './redis-server.ts'
import { summarise } from './stage.ts'

/** Names every fruit it has ever been told: one that was lost is not named. */
function remember(chain: readonly QwenMessage[]): string {
  const told = chain.map(({ content }) => content).join('\n')
  return `I know ${[...new Set(told.match(/fruit-\d+/g))].join(' ')}.`
}

let redis: Awaited<ReturnType<typeof startRedis>>

beforeAll(async () => {
  need('redis-server')
  redis = await startRedis()
}, 180_000)

afterAll(() => redis.die())

/** Two gateways before one service, and a client that talks to them by turns. */
async function startConversation() {
  const double = await startQwenDouble({ answer: remember })
  const config = {
    upstreams: { qwen: { kind: 'qwen-chat', url: double.url, key: 'token-of-ada', mode: 'stateful' } },
    models: { 'qwen3-max': { upstream: 'qwen' } },
    sessions: { store: redis.url, ttl: '5m' },
  }
  const gateways = await Promise.all([startGateway({ config }), startGateway({ config })])
  onTestFinished(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()))
    await double.close()
  })
  const messages: { role: string; content: string }[] = []
  let turn = 0

  /** One more turn, with the other gateway; what the service was sent for it. */
  async function next() {
    turn += 1
    const { origin } = gateways[turn % 2] ?? { origin: '' }
    messages.push({ role: 'user', content: `Remember fruit-${turn}.` })
    const response = await fetch(`${origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'qwen3-max', messages }),
    })
    const { choices } = (await response.json()) as { choices: { message: { content: string } }[] }
    const content = choices[0]?.message.content ?? ''
    messages.push({ role: 'assistant', content })
    const fruits = Array.from({ length: turn }, (_, index) => `fruit-${index + 1}`)
    expect(content).toBe(`I know ${fruits.join(' ')}.`)
    return summarise(double.questions.at(-1)?.body ?? {})
  }
  return { double, next }
}

test('a conversation that goes back and forth between two gateways is one chat', async () => {
  const { double, next } = await startConversation()
  const sent = []
  for (let turn = 0; turn < 10; turn += 1) sent.push(await next())
  expect(double.chats.size).toBe(1)
  expect(sent.map(({ content }) => content)).toEqual(sent.map((_, index) => `Remember fruit-${index + 1}.`))
  expect(sent.filter(({ parent }) => parent === null)).toHaveLength(1)
}, 30_000)

test('while the store is dead conversations are replayed, nothing is lost, and it is used again when it is back', async () => {
  const { double, next } = await startConversation()
  for (let turn = 0; turn < 4; turn += 1) await next()
  expect(double.chats.size).toBe(1)

  await redis.die()
  for (let turn = 0; turn < 4; turn += 1) expect(await next()).toMatchObject({ parent: null })
  expect(double.chats.size).toBe(5)

  await redis.comeBack()
  const bothContinue = async () => {
    for (let turn = 0; turn < 2; turn += 1) expect((await next()).parent).not.toBeNull()
  }
  await vi.waitFor(bothContinue, { timeout: 10_000, interval: 100 })
  const chats = double.chats.size
  for (let turn = 0; turn < 4; turn += 1) expect((await next()).parent).not.toBeNull()
  expect(double.chats.size).toBe(chats)
}, 40_000)
