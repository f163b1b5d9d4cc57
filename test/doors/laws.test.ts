import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Door, Exchange } from '../../src/doors/door.ts'
import { doors } from '../../src/doors/registry.ts'
import { GatewayError } from '../../src/errors.ts'
import type { Event } from '../../src/protocol/event.ts'
import { callsOf, type Message } from '../../src/protocol/message.ts'
import { createRandomId } from '../../src/random-id.ts'
import * as messagesChecker from './messages-checker.ts'
import * as ollamaChecker from './ollama-checker.ts'
import * as responsesChecker from './responses-checker.ts'
import { readAt } from './visit.ts'

/** What holds at every door, whatever a model says and whatever a client sends. */

const seed = 20_261_115

interface Wire {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** Throws where a stream is not sound; gives back what its clients make of it. */
  readStream(text: string): unknown
  /** The same of a whole answer. */
  readWhole(text: string): unknown
  /** The ids of the calls its clients run. */
  callsIn(answer: unknown): readonly unknown[]
  /** A call that could not be read is told as the words it was. */
  readonly tellsUnread: boolean
  /** Conversations, most of them valid, as the fields of a body. */
  readonly conversations: fc.Arbitrary<object>
  /** A broken conversation is refused instead of healed. */
  readonly isStrict?: boolean
  readonly fields: readonly string[]
}

const words = fc.oneof(fc.constantFrom('', ' ', '\n', 'Look.', '<tool_call>', '"\\', '😀'), fc.string({ maxLength: 8 }))
const ids = fc.constantFrom('a', 'b', 'c', '')
const names = fc.constantFrom('read', 'x y', '', 'fs.read')
const anything = fc.oneof(fc.constantFrom<unknown>(null, 1, '', 'x', '{}', [], {}, [{}]), fc.jsonValue({ maxDepth: 2 }))
const rarely = (sound: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 14, arbitrary: sound }, { weight: 1, arbitrary: anything })
const list = (of: fc.Arbitrary<unknown>, field: string) =>
  fc.array(of, { minLength: 1, maxLength: 8 }).map((all) => ({ [field]: all }))
const parse = (text: string) => JSON.parse(text)
const common = ['model', 'messages', 'tools', 'tool_choice', 'stream', 'temperature', 'novelty']
const hi = [{ role: 'user', content: 'hi' }]

interface ChatDelta {
  readonly content?: string
  readonly refusal?: string
  readonly reasoning?: string
  readonly tool_calls?: readonly { readonly id?: string; readonly function: { readonly arguments: string } }[]
}

/** A call that was cut off has no whole arguments. */
const isObjectText = (text: string): boolean => {
  try {
    return typeof parse(text) === 'object'
  } catch {
    return false
  }
}

const chat: Wire = {
  path: '/v1/chat/completions',
  body: { model: 'm', messages: hi },
  readStream(text) {
    const frames = text.split('\n\n').slice(0, -1)
    for (const frame of frames) expect(frame).toMatch(/^data: (?:\{.*\}|\[DONE\])$/)
    const chunks = frames.filter((frame) => frame !== 'data: [DONE]').map((frame) => parse(frame.slice(6)))
    if (chunks.some(({ error }) => error !== undefined)) return expect(frames.at(-1)).toMatch(/^data: {"error"/)
    expect(frames.at(-1)).toBe('data: [DONE]')
    const deltas: ChatDelta[] = chunks.flatMap(({ choices }) => choices).map(({ delta }) => delta)
    const calls: { id: string; json: string }[] = []
    for (const { id, function: made } of deltas.flatMap((delta) => delta.tool_calls ?? [])) {
      const last = calls.at(-1)
      if (id !== undefined) calls.push({ id, json: made.arguments })
      else if (last !== undefined) last.json += made.arguments
    }
    const joined = (field: 'content' | 'refusal' | 'reasoning') => deltas.map((delta) => delta[field] ?? '').join('')
    const [finish] = chunks.flatMap(({ choices }) => choices[0].finish_reason ?? [])
    const said = [joined('content'), joined('refusal'), joined('reasoning')]
    return { said, calls: calls.filter(({ json }) => isObjectText(json)), finish }
  },
  readWhole(text) {
    const [{ message, finish_reason: finish }] = parse(text).choices
    const calls = (message.tool_calls ?? []).map((call: { id: string; function: { arguments: string } }) => ({
      id: call.id,
      json: call.function.arguments,
    }))
    return { said: [message.content ?? '', message.refusal ?? '', message.reasoning ?? ''], calls, finish }
  },
  callsIn: (answer) => (answer as { calls: { id: string }[] }).calls.map(({ id }) => id),
  tellsUnread: false,
  conversations: list(
    fc.oneof(
      fc.record({ role: fc.constantFrom('system', 'user', 'developer'), content: rarely(words) }),
      fc.record(
        {
          role: fc.constant('assistant'),
          content: words,
          tool_calls: fc.array(
            fc.record({
              id: ids,
              type: fc.constant('function'),
              function: fc.record({ name: names, arguments: rarely(fc.constantFrom('{}', '')) }),
            }),
            { minLength: 1, maxLength: 3 },
          ),
        },
        { requiredKeys: ['role', 'content'] },
      ),
      fc.record({ role: fc.constant('tool'), tool_call_id: ids, content: words }),
    ),
    'messages',
  ),
  isStrict: true,
  fields: [
    ...[...common, 'functions', 'function_call', 'stop', 'n', 'max_tokens', 'logit_bias', 'response_format'],
    ...['stream_options', 'parallel_tool_calls', 'reasoning_effort', 'top_logprobs', 'user'],
  ],
}

const responsesTools = [
  { type: 'function', name: 'read' },
  { type: 'custom', name: 'patch' },
  { type: 'tool_search' },
  { type: 'namespace', name: 'ns', tools: [{ type: 'function', name: 'make' }] },
]
const withoutIds = (response: object): { output: { call_id?: string; status?: string }[] } =>
  parse(JSON.stringify(response, (key, value) => (key === 'id' ? undefined : value)))

const responses: Wire = {
  path: '/v1/responses',
  body: { model: 'm', input: 'hi', tools: responsesTools, include: ['reasoning.encrypted_content'] },
  readStream: (text) => withoutIds(responsesChecker.checkStream(text)),
  readWhole(text) {
    responsesChecker.checkBody(parse(text))
    return withoutIds(parse(text))
  },
  callsIn: (answer) =>
    (answer as ReturnType<typeof withoutIds>).output.flatMap(({ call_id: id, status }) =>
      id !== undefined && status === 'completed' ? [id] : [],
    ),
  tellsUnread: true,
  conversations: list(
    fc.record({
      type: fc.constantFrom(
        ...['message', 'function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output'],
        ...['tool_search_call', 'tool_search_output', 'reasoning', 'compaction', 'additional_tools', 'web_search_call'],
      ),
      role: fc.constantFrom('user', 'assistant', 'developer'),
      content: rarely(
        fc.constantFrom(
          null,
          'x',
          [],
          [
            { type: 'input_text', text: 'x' },
            { type: 'input_image', image_url: 'u' },
          ],
        ),
      ),
      call_id: fc.option(ids),
      name: fc.constantFrom('read', 'patch', 'make', '', null),
      namespace: fc.constantFrom('ns', null),
      arguments: rarely(fc.constantFrom('{}', '{"a":', { a: 1 }, null, '')),
      input: anything,
      output: rarely(fc.constantFrom('x', '', null, { a: 1 }, [{ type: 'input_image', image_url: 'u' }])),
      summary: anything,
      encrypted_content: anything,
      tools: rarely(fc.constantFrom(responsesTools, null, [])),
    }),
    'input',
  ),
  fields: [
    ...[...common, 'input', 'text', 'reasoning', 'include', 'instructions', 'metadata', 'max_output_tokens'],
    ...['previous_response_id', 'store', 'generate', 'conversation', 'prompt', 'background', 'top_logprobs'],
  ],
}

const block = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('tool_use'), id: ids, name: names, input: anything }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('tool_result'),
      tool_use_id: ids,
      content: fc.oneof(words, fc.array(fc.record({ type: fc.constant('text'), text: words })), anything),
      is_error: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('text'), text: words }) },
  fc.record({
    type: fc.constantFrom(
      ...['image', 'document', 'thinking', 'redacted_thinking', 'tool_reference', 'tool_addition', 'server_tool_use'],
      ...['search_result', 'novelty'],
    ),
    ...Object.fromEntries(
      ['source', 'title', 'content', 'tool', 'thinking', 'tool_name'].map((name) => [name, anything] as const),
    ),
  }),
  anything,
)

/** What a service wants back may come after a thought was told. */
const withoutSignatures = (message: object): object =>
  parse(JSON.stringify(message, (key, value) => (key === 'signature' ? '' : value)))

const messages: Wire = {
  path: '/v1/messages',
  body: { model: 'm', max_tokens: 9, messages: hi, thinking: { type: 'adaptive' } },
  readStream(text) {
    const { faults, message } = messagesChecker.checkStream(text)
    expect(faults).toEqual([])
    return message && withoutSignatures(message)
  },
  readWhole(text) {
    expect(messagesChecker.checkMessage(parse(text))).toEqual([])
    return withoutSignatures(parse(text))
  },
  callsIn: (answer) =>
    (answer as { content: { type: string; id: string }[] }).content.flatMap(({ type, id }) =>
      type === 'tool_use' ? [id] : [],
    ),
  tellsUnread: false,
  conversations: list(
    fc.record({
      role: fc.constantFrom('user', 'assistant', 'system'),
      content: fc.oneof(words, fc.array(block, { maxLength: 5 })),
    }),
    'messages',
  ),
  fields: [
    ...[...common, 'max_tokens', 'system', 'thinking', 'output_config', 'metadata', 'stop_sequences', 'thread'],
    ...['mcp_servers', 'context_management'],
  ],
}

const ollama: Wire = {
  path: '/api/chat',
  body: { model: 'm', messages: hi },
  readStream(text) {
    expect(ollamaChecker.checkLines(text)).toEqual([])
    const lines = text.trimEnd().split('\n').map(parse)
    if (lines.at(-1).error !== undefined) return undefined
    const joined = (field: string) => lines.map(({ message }) => message[field] ?? '').join('')
    return {
      said: [joined('content'), joined('thinking')],
      calls: lines.flatMap(({ message }) => message.tool_calls ?? []),
      logprobs: lines.flatMap(({ logprobs = [] }) => logprobs),
      facts: { ...lines.at(-1), message: undefined },
    }
  },
  readWhole(text) {
    expect(ollamaChecker.checkBody(text)).toEqual([])
    const { message, logprobs = [], ...facts } = parse(text)
    return {
      said: [message.content, message.thinking ?? ''],
      calls: message.tool_calls ?? [],
      logprobs,
      facts: { ...facts, message: undefined },
    }
  },
  callsIn: (answer) => (answer as { calls: { id: string }[] }).calls.map(({ id }) => id),
  tellsUnread: true,
  conversations: list(
    fc.oneof(
      fc.record({ role: fc.constantFrom('system', 'User', 'developer', 'novelty'), content: rarely(words) }),
      fc.record(
        {
          role: fc.constant('assistant'),
          content: words,
          thinking: words,
          tool_calls: fc.array(
            fc.record(
              { id: ids, function: fc.record({ name: names, arguments: rarely(fc.constant({ a: 1 })) }) },
              { requiredKeys: ['function'] },
            ),
            { maxLength: 3 },
          ),
        },
        { requiredKeys: ['role'] },
      ),
      fc.record(
        { role: fc.constant('tool'), content: words, tool_call_id: ids, tool_name: names, images: fc.array(words) },
        { requiredKeys: ['role'] },
      ),
    ),
    'messages',
  ),
  fields: [
    ...[...common, 'options', 'format', 'think', 'keep_alive', 'logprobs', 'top_logprobs', 'parallel_tool_calls'],
  ],
}

const wires: Readonly<Record<string, Wire>> = { chat, responses, messages, ollama }

type Saying = (index: number, tellsUnread: boolean) => readonly Event[]

const always =
  (...events: readonly Event[]): Saying =>
  () =>
    events

/** What a model may say, by the law of events: nothing is said inside a call. */
const said: fc.Arbitrary<Saying> = fc.oneof(
  fc
    .record({
      type: fc.constantFrom('text-delta' as const, 'reasoning-delta' as const, 'refusal-delta' as const),
      text: words,
    })
    .map((event) => always(event)),
  fc.constantFrom(
    always({ type: 'note', kind: 'echo' }),
    always({ type: 'provider-metadata', fields: { a: 1 } }),
    always({ type: 'logprobs', content: [{ token: 'a' }] }),
  ),
  fc
    .record({
      name: fc.constantFrom('read', 'patch', 'tool_search', 'ns__make', 'make', 'nobody'),
      given: fc.oneof(
        fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue()),
        fc.oneof(fc.constantFrom('x\ny', '```\na\n```', '😀'), fc.string()).map((input) => ({ input })),
      ),
      at: fc.nat(20),
      how: fc.constantFrom('end', 'cut', 'bad', 'none'),
    })
    .map(
      ({ name, given, at, how }): Saying =>
        (index, tellsUnread) => {
          const json = JSON.stringify(given, undefined, at % 3)
          const start: Event = { type: 'call-start', index, id: `call_${index}`, name }
          const end: Event = { type: 'call-end', index }
          if (how === 'none') return [start, end]
          const first = json.slice(0, how === 'end' ? at : Math.min(at, json.length - 1))
          const delta: Event = { type: 'call-delta', index, json: first }
          if (how === 'end') return [start, delta, { type: 'call-delta', index, json: json.slice(at) }, end]
          const raw = tellsUnread ? `<${json}` : ''
          return [start, delta, { type: 'call-error', index, raw, reason: how === 'cut' ? 'cut-off' : 'malformed' }]
        },
    ),
)

interface Answer {
  readonly parts: readonly Saying[]
  readonly reason: 'stop' | 'length' | 'content_filter'
  /** Of how many events each batch is. */
  readonly cuts: readonly number[]
}

const answers: fc.Arbitrary<Answer> = fc.record({
  parts: fc.array(said, { maxLength: 8 }),
  reason: fc.constantFrom('stop', 'length', 'content_filter'),
  cuts: fc.array(fc.nat(3), { maxLength: 30 }),
})

function eventsOf({ parts, reason }: Answer, { tellsUnread }: Wire): readonly Event[] {
  const events = parts.flatMap((part, index) => part(index, tellsUnread))
  return [...events, { type: 'usage', promptTokens: 5, completionTokens: 2 }, { type: 'finish', reason }]
}

function stream(exchange: Exchange, events: readonly Event[], cuts: readonly number[]) {
  const printer = exchange.createStream()
  let text = printer.open({ promptTokens: () => 5 })
  let from = 0
  for (const size of [...cuts, events.length]) {
    text += printer.push(0, events.slice(from, from + size))
    from += size
  }
  return { text, printer }
}

/** Where services would refuse a conversation. */
function faultsOf(told: readonly Message[]): readonly string[] {
  const faults: string[] = []
  let open: string[] = []
  for (const one of told) {
    if (one.role === 'tool') {
      if (!open.includes(one.callId)) faults.push(`a result of no call: ${one.callId}`)
      open = open.filter((callId) => callId !== one.callId)
      continue
    }
    if (one.role === 'user' && open.length > 0) faults.push(`the user speaks before the results of ${open.join(', ')}`)
    const asked = callsOf(one).map(({ id }) => id)
    if (new Set(asked).size < asked.length) faults.push('an id twice')
    open = [...open, ...asked]
  }
  return faults
}

describe.each(doors)('the door "$name"', (door: Door) => {
  const wire = wires[door.name]
  if (wire === undefined) throw new Error(`no wire for the door ${door.name}: add one here`)
  const { path, body } = wire
  const read = (fields: object) => readAt(door, path, { ...body, ...fields }, { createId: createRandomId })

  test('whatever a model says is a sound stream, however it is cut, and adds up to the whole answer and its whole calls', async () => {
    await fc.assert(
      fc.asyncProperty(answers, async (answer) => {
        const events = eventsOf(answer, wire)
        const exchange = await read({})
        const { text, printer } = stream(exchange, events, answer.cuts)
        const streamed = wire.readStream(text + (await printer.end()))
        const whole = wire.readWhole(await exchange.printBody([events]))
        expect(streamed).toEqual(whole)
        const ended = events.filter(({ type }) => type === 'call-end')
        expect(wire.callsIn(whole)).toHaveLength(ended.length)
      }),
      { seed, numRuns: 400 },
    )
  })

  test('a failure at any place leaves a sound stream', async () => {
    await fc.assert(
      fc.asyncProperty(answers, fc.nat(30), async (answer, at) => {
        const events = eventsOf(answer, wire).slice(0, -1).slice(0, at)
        const { text, printer } = stream(await read({}), events, answer.cuts)
        wire.readStream(text + printer.fail(new GatewayError('upstream_error', 'Gone.')))
      }),
      { seed, numRuns: 200 },
    )
  })

  test('whatever conversation a client sends is taken, every result after its call, or refused by its field', async () => {
    let taken = 0
    await fc.assert(
      fc.asyncProperty(wire.conversations, async (fields) => {
        const exchange = await read(fields).catch((thrown: unknown) => thrown as GatewayError)
        if (exchange instanceof Error) {
          expect(exchange).toBeInstanceOf(GatewayError)
          expect(exchange.status).toBeLessThan(500)
          return
        }
        taken += 1
        for (const { messages: told, faults = [] } of exchange.requests) {
          if (faults.length === 0) expect(faultsOf(told), JSON.stringify(told)).toEqual([])
          else expect(wire.isStrict).toBe(true)
        }
      }),
      { seed, numRuns: 1_000 },
    )
    expect(taken).toBeGreaterThan(200)
  })

  test('whatever a field holds, it is taken, or refused in the words of the door', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...wire.fields), fc.jsonValue(), async (field, value) => {
        const thrown = await read({ [field]: value }).catch((reason: unknown) => reason)
        if (!(thrown instanceof Error)) return
        expect(thrown).toBeInstanceOf(GatewayError)
        const { status, param } = thrown as GatewayError
        expect(status).toBeLessThan(500)
        expect(param).toMatch(/^\w/)
        expect(door.printError(thrown as GatewayError, 'req_1').status).toBe(status)
      }),
      { seed, numRuns: 1_500 },
    )
  })
})
