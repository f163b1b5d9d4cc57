import type { DoorContext } from '../src/doors/door.ts'
import { doors } from '../src/doors/registry.ts'
import { parseBody } from '../src/doors/serving/json-body.ts'
import { defaultSettings } from '../src/turn/settings.ts'
import { createTurns } from '../src/turn/turns.ts'
import type { Upstream, UpstreamEvent } from '../src/upstreams/upstream.ts'
import { cut, report } from './measure.ts'

const rounds = 12
const answersARound = 6
const requestsARound = 40
/** Against chat. */
const most = { answer: 1.3, request: 3 }
const text = 'The quick brown fox jumps over the lazy dog; const total = items.map((item) => item.price < 3)\n'

/** What the model says: words, then a call that writes a file, in pieces as services send them. */
const spoken = `${text.repeat(20)}<tool_call>\n${JSON.stringify({
  name: 'tool_1',
  arguments: { path: '/a', content: text.repeat(60) },
})}\n</tool_call>`
const reads: readonly (readonly UpstreamEvent[])[] = [
  ...cut(spoken, 5).map((piece) => [{ type: 'text' as const, text: piece }]),
  [
    { type: 'usage', promptTokens: 7, completionTokens: 5 },
    { type: 'finish', reason: 'stop' },
  ],
]
/** A model that says a word and ends, so that what is measured is the request. */
const brief = 'brief'
const upstream: Upstream = {
  name: 'bench',
  kind: 'bench',
  async *chat({ model }) {
    yield* model === brief ? reads.slice(-2) : reads
  },
  models: async () => [],
  probe: async () => ({ nativeTools: 'no' }),
  close: async () => undefined,
}

const schema = {
  type: 'object',
  properties: { path: { type: 'string' }, content: { type: 'string' }, mode: { type: 'string', enum: ['a', 'b'] } },
  required: ['path'],
  additionalProperties: false,
}
const tools = Array.from({ length: 30 }, (_, n) => ({ name: `tool_${n}`, description: text.repeat(4), schema }))
const turnNumbers = Array.from({ length: 20 }, (_, n) => n)
const system = text.repeat(40)
const question = text.repeat(2)
const result = text.repeat(20)
const input = { path: '/src/app.ts', content: text.repeat(4) }

/** The same request in each door's words. */
const requests: Readonly<Record<string, { readonly path: string; readonly body: object }>> = {
  chat: {
    path: '/v1/chat/completions',
    body: {
      ...{ model: 'm', stream: true, stream_options: { include_usage: true } },
      tools: tools.map(({ schema: parameters, ...rest }) => ({ type: 'function', function: { ...rest, parameters } })),
      messages: [
        { role: 'system', content: system },
        ...turnNumbers.flatMap((n) => [
          { role: 'user', content: question },
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: `call_${n}`, type: 'function', function: { name: 'tool_1', arguments: JSON.stringify(input) } },
            ],
          },
          { role: 'tool', tool_call_id: `call_${n}`, content: result },
        ]),
      ],
    },
  },
  responses: {
    path: '/v1/responses',
    body: {
      ...{ model: 'm', stream: true, store: false, instructions: system },
      tools: tools.map(({ schema: parameters, ...rest }) => ({ type: 'function', ...rest, parameters })),
      input: turnNumbers.flatMap((n) => [
        { role: 'user', content: question },
        { type: 'function_call', call_id: `call_${n}`, name: 'tool_1', arguments: JSON.stringify(input) },
        { type: 'function_call_output', call_id: `call_${n}`, output: result },
      ]),
    },
  },
  messages: {
    path: '/v1/messages',
    body: {
      ...{ model: 'm', stream: true, max_tokens: 8000, system },
      tools: tools.map(({ schema: input_schema, ...rest }) => ({ ...rest, input_schema })),
      messages: turnNumbers.flatMap((n) => [
        { role: 'user', content: question },
        { role: 'assistant', content: [{ type: 'tool_use', id: `call_${n}`, name: 'tool_1', input }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `call_${n}`, content: result }] },
      ]),
    },
  },
  ollama: {
    path: '/api/chat',
    body: {
      model: 'm',
      tools: tools.map(({ schema: parameters, ...rest }) => ({ type: 'function', function: { ...rest, parameters } })),
      messages: [
        { role: 'system', content: system },
        ...turnNumbers.flatMap((n) => [
          { role: 'user', content: question },
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: `call_${n}`, function: { name: 'tool_1', arguments: input } }],
          },
          { role: 'tool', tool_call_id: `call_${n}`, content: result },
        ]),
      ],
    },
  },
}

/** An answer through each door, from the request's text to the last piece of the wire, and how it compares with chat. */
export async function benchDoors(): Promise<boolean> {
  let ids = 0
  const turns = createTurns({
    upstreams: new Map([[upstream.name, upstream]]),
    models: ['m', brief].map((name) => ({
      ...defaultSettings(name, [upstream.name]),
      tools: 'prompt' as const,
      dialect: 'hermes',
    })),
    newId: () => `call_new${ids++}`,
  })
  const { signal } = new AbortController()
  const context: DoorContext = {
    rest: '',
    query: () => undefined,
    header: () => undefined,
    body: async () => undefined,
    createId: (prefix) => `${prefix}${ids++}`,
    now: Date.now,
    started: 0,
    limits: { tools: 512 },
    models: () => turns.models(signal),
    model: (name) => turns.model(name, signal),
    countTokens: (request) => turns.countTokens(request, { signal }),
    embed: (request) => turns.embed(request, { signal }),
    store: { get: async () => undefined, set: async () => undefined, delete: async () => undefined },
  }

  async function answerAt(name: string, written: string): Promise<number> {
    const route = doors
      .find((door) => door.name === name)
      ?.routes.find(({ path, method }) => path === requests[name]?.path && method === 'POST')
    if (route === undefined || !('read' in route)) throw new Error(`the bench has no request for the door ${name}`)
    const exchange = await route.read(parseBody(Buffer.from(written), 128), context)
    const [request] = exchange.requests
    if (request === undefined) throw new Error(`the door ${name} asks nothing`)
    const turn = await turns.start(request, { signal, usage: exchange.reportsUsage })
    const printer = exchange.createStream()
    let length = printer.open({ promptTokens: turn.promptTokens }).length
    for await (const events of turn.events) length += printer.push(0, events).length
    return length + (await printer.end()).length
  }

  async function compare(what: string, model: string, times: number, target: number): Promise<boolean> {
    const least = new Map<string, number>()
    for (let round = 0; round < rounds; round++) {
      for (const { name } of doors) {
        const written = JSON.stringify({ ...requests[name]?.body, model })
        const start = process.cpuUsage()
        for (let count = 0; count < times; count++) await answerAt(name, written)
        const { user, system: kernel } = process.cpuUsage(start)
        least.set(name, Math.min(least.get(name) ?? Number.POSITIVE_INFINITY, (user + kernel) / times / 1000))
      }
    }
    const chat = least.get('chat') ?? 1
    console.log(`${what} through the door chat: ${chat.toFixed(2)} ms of CPU`)
    return [...least]
      .map(([name, ms]) => report(`${what} through the door ${name}`, ms / chat, target, '× chat'))
      .every(Boolean)
  }

  const areMet = [
    await compare('an answer', 'm', answersARound, most.answer),
    await compare('a request of 20 turns', brief, requestsARound, most.request),
  ]
  return areMet.every(Boolean)
}
