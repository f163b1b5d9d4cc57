import { createServer, type Server, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startGateway } from '../dragoman.ts'

/**
 * Three services for one model, two of which die and come back at random moments while clients keep asking. The long form:
 * DRAGOMAN_FAILOVER_SECONDS=60.
 */
const seconds = Number(process.env['DRAGOMAN_FAILOVER_SECONDS'] ?? 3)
const seed = Number(process.env['DRAGOMAN_FAILOVER_SEED'] ?? 20_261)
const clients = 16

/** How a service can be dead: no listener, one that hangs up, one that says so, one that has had enough. */
const deaths = ['gone', 'reset', 'unavailable', 'limited'] as const
type Health = 'alive' | (typeof deaths)[number]

const pieces = (question: string, name: string) => [
  `You asked ${question}. `,
  'Let me think. ',
  `I am ${name}, `,
  'and that is all.',
]

function createRandom(start: number): (below: number) => number {
  let state = start
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % below
  }
}

/** A service that can die and come back on the same port, taking the answers under way with it. */
async function startMortal(name: string, random: (below: number) => number) {
  const begun: string[] = []
  let health: Health = 'alive'
  let server: Server | undefined
  let port = 0

  async function answer(question: string, response: ServerResponse): Promise<void> {
    begun.push(question)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const say = (delta: object, finish: string | null = null) =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`)
    say({ role: 'assistant', content: '' })
    for (const content of pieces(question, name)) {
      await wait(random(6))
      if (response.destroyed) return
      say({ content })
    }
    say({}, 'stop')
    response.end('data: [DONE]\n\n')
  }

  function listen(): Promise<void> {
    server = createServer(async (request, response) => {
      if (health === 'reset') return void request.socket.destroy()
      if (health === 'unavailable') return void response.writeHead(503).end('{"error":"down"}')
      if (health === 'limited') return void response.writeHead(429, { 'retry-after': '1' }).end('{"error":"too many"}')
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      if (request.method !== 'POST' || request.url !== '/v1/chat/completions') return void response.writeHead(404).end()
      const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { content: string }[] }
      await answer(messages.at(-1)?.content ?? '', response)
    })
    return new Promise((resolve) => server?.listen(port, '127.0.0.1', resolve))
  }

  async function close(): Promise<void> {
    const closing = new Promise((resolve) => server?.close(resolve))
    server?.closeAllConnections()
    await closing
    server = undefined
  }

  await listen()
  const address = server?.address()
  port = typeof address === 'object' ? (address?.port ?? 0) : 0
  return {
    name,
    begun,
    url: `http://127.0.0.1:${port}/v1`,
    get health() {
      return health
    },
    async become(next: Health): Promise<void> {
      if (next === health) return
      const was = health
      health = next
      if (next === 'gone') await close()
      else if (was === 'gone') await listen()
      if (next === 'reset') server?.closeAllConnections()
    },
    async close(): Promise<void> {
      if (server !== undefined) await close()
    },
  }
}

interface Tally {
  whole: number
  streamed: number
  brokenAfterFirstByte: number
  readonly failed: string[]
  readonly wrong: string[]
  readonly by: Record<string, number>
}

test(`of three services two die at random for ${seconds} s`, { timeout: (seconds + 30) * 1000 }, async () => {
  const random = createRandom(seed)
  const services = await Promise.all(['a', 'b', 'c'].map((name) => startMortal(name, random)))
  const models = {
    ordered: { upstream: ['a', 'b', 'c'] },
    weighted: { upstream: ['c', 'a', 'b'], weights: { a: 2, b: 2, c: 1 } },
  }
  const gateway = await startGateway({
    config: {
      upstreams: Object.fromEntries(services.map(({ name, url }) => [name, { kind: 'openai', url }])),
      models: Object.fromEntries(Object.entries(models).map(([name, model]) => [name, { ...model, model: 'm' }])),
    },
  })
  const twice: string[] = []
  const tally: Tally = { whole: 0, streamed: 0, brokenAfterFirstByte: 0, failed: [], wrong: [], by: {} }
  const until = Date.now() + seconds * 1000
  let asked = 0

  async function ask(): Promise<void> {
    const question = `question ${++asked}`
    const stream = asked % 2 === 0
    const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }]
    const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: asked % 3 === 0 ? 'weighted' : 'ordered',
        messages: [{ role: 'user', content: question }],
        stream,
        ...(asked % 4 < 2 && { tools }),
      }),
    })
    const text = await response.text()
    if ((text.match(/You asked/g)?.length ?? 0) > 1 || (text.match(/"finish_reason":"/g)?.length ?? 0) > 1)
      twice.push(text)
    const upstream = response.headers.get('x-dragoman-upstream') ?? ''
    const answer = pieces(question, upstream).join('')
    if (response.status !== 200) {
      tally.failed.push(`${response.status} ${text}`)
    } else if (!stream) {
      tally.whole += 1
      const { choices } = JSON.parse(text) as { choices: { message: { content: string } }[] }
      if (choices[0]?.message.content !== answer) tally.wrong.push(text)
    } else {
      const events = text.split('\n\n').flatMap((block) => (block.startsWith('data: ') ? [block.slice(6)] : []))
      const isDone = events.at(-1) === '[DONE]'
      const chunks = events.filter((data) => data !== '[DONE]').map((data) => JSON.parse(data))
      const content = chunks.map((chunk) => chunk.choices?.[0]?.delta.content ?? '').join('')
      const broke = chunks.some((chunk) => chunk.error !== undefined)
      if (isDone && content === answer && !broke) tally.streamed += 1
      else if (broke && !isDone && content !== '' && answer.startsWith(content)) tally.brokenAfterFirstByte += 1
      else if (broke && content === '') tally.failed.push(text)
      else tally.wrong.push(text)
    }
    tally.by[upstream] = (tally.by[upstream] ?? 0) + 1
  }

  async function client(): Promise<void> {
    while (Date.now() < until) await ask()
  }

  async function fate(service: (typeof services)[number]): Promise<void> {
    while (Date.now() < until) {
      await wait(200 + random(1300))
      await service.become(deaths[random(deaths.length)] ?? 'gone')
      await wait(50 + random(300))
      await service.become('alive')
    }
  }

  try {
    await Promise.all([...services.slice(0, 2).map(fate), ...Array.from({ length: clients }, client)])
  } finally {
    await gateway.stop()
    await Promise.all(services.map((service) => service.close()))
  }
  const begun = services.flatMap((service) => service.begun)
  const takenOver = begun.length - new Set(begun).size
  const { failed, wrong, ...figures } = tally
  console.log(
    JSON.stringify({ seed, seconds, asked, failed: failed.length, twice: twice.length, takenOver, ...figures }),
  )
  expect(failed).toEqual([])
  expect(wrong).toEqual([])
  // A service that began to answer was replaced only where the client could not have got anything of it.
  expect(takenOver).toBeLessThanOrEqual(tally.whole)
  expect(twice).toEqual([])
  expect(Object.keys(tally.by).sort()).toEqual(['a', 'b', 'c'])
  expect(tally.whole + tally.streamed + tally.brokenAfterFirstByte).toBe(asked)
})
