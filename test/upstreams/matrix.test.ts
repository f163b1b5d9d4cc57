import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { event, type OpenAiDouble, raw, refusal, type Script, startOpenAiDouble } from '../doubles/openai-compat.ts'
import { answerAs, type Profile, profiles } from '../doubles/profiles.ts'
import { type RunningGateway, startGateway } from '../dragoman.ts'

/** Every flavour in every situation, streamed and not, through the started program. */

type Json = Record<string, unknown>

const weather = { name: 'get_weather', arguments: '{"city":"Paris"}' }
const markup = `<tool_call>\n{"name": "get_weather", "arguments": {"city":"Paris"}}\n</tool_call>`
const call = { name: weather.name, arguments: ['{"city":', '"Paris"}'] }

const tools = ['get_weather', 'get_time'].map((name) => ({
  type: 'function',
  function: {
    name,
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}))

interface Situation {
  readonly name: string
  readonly respond: (profile: Profile, body: Json) => Script
  /** Beside messages and tools. */
  readonly asks?: Json
  readonly expect: (seen: Seen, cell: Cell) => void | Promise<void>
}

interface Cell {
  readonly profile: Profile
  readonly stream: boolean
  readonly double: OpenAiDouble
  /** What the service was asked for this request alone. */
  readonly bodies: readonly Json[]
  ask(body?: Json): Promise<Seen>
}

interface Seen {
  readonly status: number
  readonly mode: string | null
  readonly notice: string | null
  readonly content: string
  readonly reasoning: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  readonly finish: string | undefined
  readonly usage: Json | undefined
  readonly error: Json | undefined
  readonly isDone: boolean
}

const namesOf = ({ calls }: Seen) => calls.map(({ name, arguments: json }) => [name, JSON.parse(json)])
const oneCall = [[weather.name, { city: 'Paris' }]]

function expectCall(seen: Seen, mode: string): void {
  expect(seen).toMatchObject({ status: 200, mode, finish: 'tool_calls', isDone: true })
  expect(namesOf(seen)).toEqual(oneCall)
}

const situations: readonly Situation[] = [
  {
    name: 'native-ok',
    respond: (profile) => answerAs(profile, { calls: [call] }),
    asks: { max_tokens: 100, user: 'me' },
    async expect(seen, { profile, ask }) {
      expectCall(seen, 'native')
      expect(seen.calls[0]?.arguments).toBe(weather.arguments)
      if (profile.shape?.reasoning !== undefined) expect(seen.reasoning).toBe('Hm.')
      // The next turn, told as clients do: without the thoughts. The double looks at it closely.
      const [made] = seen.calls
      const history = [
        { role: 'user', content: 'How is the weather?', name: 'Ann' },
        { role: 'assistant', content: null, tool_calls: [{ id: made?.id, type: 'function', function: weather }] },
        { role: 'tool', tool_call_id: made?.id, content: [{ type: 'text', text: 'Rain.' }] },
      ]
      const next = await ask({ messages: history })
      expectCall(next, 'native')
      // A foreign id, and one that a service gives to the first call of every answer.
      if (profile.configured !== true) expect(next.calls[0]?.id).not.toBe(profile.shape?.callId ?? made?.id)
    },
  },
  {
    name: 'native-leaked',
    respond: (profile, body) => {
      expect(body['tools']).toBeDefined()
      return (
        profile.leaked?.(markup) ??
        answerAs(profile, { text: ['Let me look.\n', markup.slice(0, 14), markup.slice(14)] })
      )
    },
    expect(seen) {
      expectCall(seen, 'native')
      expect(seen.content).not.toContain('tool_call')
    },
  },
  {
    name: 'tools-refused',
    respond: (profile, body) =>
      body['tools'] === undefined || profile.toolsRefused === undefined
        ? answerAs(profile, { text: [markup.slice(0, 20), markup.slice(20)] })
        : profile.toolsRefused,
    async expect(seen, { profile, bodies, double, ask }) {
      expectCall(seen, profile.toolsRefused === undefined ? 'native' : 'prompt')
      if (profile.toolsRefused === undefined) return
      expect(bodies.at(-1)).not.toHaveProperty('tools')
      const before = double.requests.length
      expectCall(await ask(), 'prompt')
      expect(double.requests.length - before).toBe(1)
    },
  },
  {
    name: 'choice-ignored',
    asks: { tool_choice: { type: 'function', function: { name: weather.name } } },
    respond: (profile, body) => {
      if (body['grammar'] !== undefined) return answerAs(profile, { text: markup })
      return body['response_format'] !== undefined
        ? answerAs(profile, { text: '{"name": "get_weather", "parameters": {"city": "Paris"}}' })
        : answerAs(profile, { text: 'No.', calls: [{ name: 'get_time', arguments: '{"city":"Rome"}' }] })
    },
    expect(seen, { profile, bodies, stream }) {
      const [body] = bodies
      const offered = (body?.['tools'] as readonly unknown[] | undefined)?.length
      switch (profile.named) {
        case 'unsent':
          // It does not listen, or not surely, so it is held to a grammar or a schema instead.
          expect(body).not.toHaveProperty('tool_choice')
          return expectCall(seen, 'prompt')
        case 'object':
          expect(body?.['tool_choice']).toEqual({ type: 'function', function: { name: weather.name } })
          break
        case 'name':
          expect(body?.['tool_choice']).toBe(weather.name)
          break
        default:
          expect([body?.['tool_choice'], offered]).toEqual([profile.named, 1])
      }
      expect(seen).toMatchObject({ status: 200, calls: [], content: 'No.', finish: 'stop', isDone: true })
      if (!stream) expect(seen.notice).toBe('tool_choice_unmet')
    },
  },
  {
    name: 'error-inside-200',
    respond: ({ broken }) =>
      raw([event({ choices: [{ index: 0, delta: { role: 'assistant', content: 'Hel' } }] }), ...broken]),
    expect(seen, { stream }) {
      expect(seen.error).toMatchObject({ message: expect.any(String), type: 'server_error', code: expect.any(String) })
      expect(seen.isDone).toBe(false)
      expect(seen.finish).toBeUndefined()
      if (stream) expect([seen.status, seen.content]).toEqual([200, 'Hel'])
      else expect(seen.status).toBeGreaterThanOrEqual(500)
    },
  },
  {
    name: 'field-refused',
    asks: { strange: 1 },
    respond: (profile, body) =>
      'strange' in body && profile.fieldRefused !== undefined
        ? profile.fieldRefused('strange')
        : answerAs(profile, { calls: [call] }),
    async expect(seen, { profile, double, ask, stream, bodies }) {
      expectCall(seen, 'native')
      // Once streamed, it is known for the request that is not.
      expect(bodies.length).toBe(profile.fieldRefused !== undefined && stream ? 2 : 1)
      const before = double.requests.length
      expectCall(await ask(), 'native')
      expect(double.requests.length - before).toBe(1)
    },
  },
  {
    name: 'no-usage',
    respond: (profile) => answerAs(profile, { calls: [call], usage: null }),
    expect(seen) {
      expectCall(seen, 'native')
      const {
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: total,
      } = seen.usage as Record<string, number>
      expect(prompt).toBeGreaterThan(0)
      expect(completion).toBeGreaterThan(0)
      expect(total).toBe((prompt ?? 0) + (completion ?? 0))
    },
  },
  {
    name: 'keep-alives',
    respond: (profile) => {
      const script = answerAs(profile, { text: ['Hel', 'lo.'] })
      const noise = [
        ': waiting\n',
        '\n',
        '\n\n',
        'retry: 100\n\n',
        ':\n\n',
        profile.comment ?? ': ping\n\n',
        'data:\n\n',
      ]
      return { ...script, writes: [...noise, ...[...script.writes].flatMap((write) => [write, ...noise])] }
    },
    expect(seen) {
      expect(seen).toMatchObject({ status: 200, content: 'Hello.', calls: [], finish: 'stop', isDone: true })
    },
  },
]

const doubles = new Map<string, OpenAiDouble>()
let gateway: RunningGateway
const table = new Map<string, string[]>()

function respondAs(profile: Profile) {
  return (body: Json): Script => {
    const wrong = profile.check?.(body)
    if (wrong !== undefined) return refusal(400, { error: { message: `The double objects: ${wrong}` } })
    const situation = situations.find(({ name }) => name === body['model'])
    return situation?.respond(profile, body) ?? refusal(404, 'no such model')
  }
}

beforeAll(async () => {
  for (const profile of profiles) {
    const data = situations.map(({ name }) => ({ id: name, object: 'model', ...profile.listed }))
    const models = {
      status: 200,
      headers: { 'content-type': 'application/json' },
      writes: [JSON.stringify({ object: 'list', data })],
      ending: 'end',
    } as const
    doubles.set(
      profile.name,
      await startOpenAiDouble({ respond: respondAs(profile), models, questions: profile.questions }),
    )
  }
  gateway = await startGateway({
    config: {
      upstreams: Object.fromEntries(
        profiles.map(({ name, flavour, configured }) => [
          name,
          { kind: 'openai', url: doubles.get(name)?.url, forward: ['strange'], ...(configured && { flavour }) },
        ]),
      ),
      models: Object.fromEntries(
        profiles.flatMap((profile) =>
          situations.map(({ name }) => [
            `${profile.name}/${name}`,
            { upstream: profile.name, model: name, dialect: 'hermes' },
          ]),
        ),
      ),
    },
  })
}, 30_000)

afterAll(async () => {
  await gateway.stop()
  for (const double of doubles.values()) await double.close()
  const lines = [['', ...situations.map(({ name }) => name)], ...[...table].map(([name, cells]) => [name, ...cells])]
  const width = Math.max(...lines.flat().map((cell) => cell.length)) + 2
  const rows = lines.map((cells) =>
    cells
      .map((cell) => cell.padEnd(width))
      .join('')
      .trimEnd(),
  )
  console.log([...rows, `${[...table.values()].flat().length * 2} cells; each: streamed / whole`].join('\n'))
})

async function ask(model: string, stream: boolean, body: Json): Promise<Seen> {
  const messages = [{ role: 'user', content: 'How is the weather?' }]
  const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      messages,
      tools,
      stream,
      ...(stream && { stream_options: { include_usage: true } }),
      ...body,
    }),
  })
  const text = await response.text()
  const head = {
    status: response.status,
    mode: response.headers.get('x-dragoman-mode'),
    notice: response.headers.get('x-dragoman-notice'),
  }
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  return { ...head, ...(isStream ? foldChunks(text) : readWhole(JSON.parse(text))) }
}

interface Message {
  content?: string | null
  reasoning_content?: string
  tool_calls?: { index?: number; id?: string; function: { name?: string; arguments?: string } }[]
}

function readWhole(body: { choices?: { message: Message; finish_reason: string }[]; usage?: Json; error?: Json }) {
  const [choice] = body.choices ?? []
  return {
    content: choice?.message.content ?? '',
    reasoning: choice?.message.reasoning_content ?? '',
    calls: (choice?.message.tool_calls ?? []).map(({ id = '', function: made }) => ({
      id,
      name: made.name ?? '',
      arguments: made.arguments ?? '',
    })),
    finish: choice?.finish_reason,
    usage: body.usage,
    error: body.error,
    isDone: body.error === undefined,
  }
}

function foldChunks(text: string) {
  const events = text.split('\n\n').flatMap((block) => (block.startsWith('data: ') ? [block.slice(6)] : []))
  const chunks = events.filter((data) => data !== '[DONE]').map((data) => JSON.parse(data))
  const deltas: Message[] = chunks.flatMap((chunk) => chunk.choices?.[0]?.delta ?? [])
  const calls: { id: string; name: string; arguments: string }[] = []
  for (const { index = 0, id, function: made } of deltas.flatMap(({ tool_calls = [] }) => tool_calls)) {
    calls[index] ??= { id: id ?? '', name: made.name ?? '', arguments: '' }
    calls[index].arguments += made.arguments ?? ''
  }
  return {
    content: deltas.map(({ content }) => content ?? '').join(''),
    reasoning: deltas.map(({ reasoning_content: thought }) => thought ?? '').join(''),
    calls,
    finish: chunks.flatMap((chunk) => chunk.choices?.[0]?.finish_reason ?? []).at(-1),
    usage: chunks.findLast((chunk) => chunk.usage)?.usage,
    error: chunks.find((chunk) => chunk.error)?.error,
    isDone: events.includes('[DONE]'),
  }
}

function show(seen: Seen): string {
  if (seen.error !== undefined) return seen.status === 200 ? 'error event' : `error ${seen.status}`
  return `${seen.mode} ${seen.calls.length > 0 ? 'call' : 'text'}`
}

describe.each(profiles.map((profile) => [profile.name, profile] as const))('%s', (name, profile) => {
  test.each(situations.map((situation) => [situation.name, situation] as const))('%s', async (_, situation) => {
    const double = doubles.get(name) as OpenAiDouble
    const shown: string[] = []
    for (const stream of [true, false]) {
      const from = double.requests.length
      const askAgain = (body: Json = {}) => ask(`${name}/${situation.name}`, stream, { ...situation.asks, ...body })
      const seen = await askAgain()
      const bodies = double.requests
        .slice(from)
        .filter(({ method }) => method === 'POST')
        .map(({ body }) => body as Json)
      await situation.expect(seen, { profile, stream, double, bodies, ask: askAgain })
      shown.push(show(seen))
    }
    table.set(name, [...(table.get(name) ?? []), shown[0] === shown[1] ? (shown[0] ?? '') : shown.join(' / ')])
  })
})

test('what was found out is shown beside the models', async () => {
  const response = await fetch(`${gateway.origin}/v1/models`)
  const { data } = (await response.json()) as { data: { id: string; dragoman: Json }[] }
  const shown = new Map(data.map(({ id, dragoman }) => [id, dragoman]))
  expect(shown.get('vllm-0.27/tools-refused')).toMatchObject({ tools: 'prompt', dialect: 'hermes' })
  expect(shown.get('ollama/tools-refused')).toMatchObject({ tools: 'prompt', dialect: 'hermes' })
  expect(shown.get('ollama/native-ok')).toMatchObject({ tools: 'native' })
  expect(shown.get('vllm-0.27/native-ok')).toMatchObject({ tools: 'auto', dialect: 'hermes' })
})

test('a header decides for one request', async () => {
  const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-dragoman-tools': 'prompt' },
    body: JSON.stringify({ model: 'groq/keep-alives', messages: [{ role: 'user', content: 'Hi' }], tools }),
  })
  await response.text()
  expect(response.headers.get('x-dragoman-mode')).toBe('prompt')
  expect(doubles.get('groq')?.requests.at(-1)?.body).not.toHaveProperty('tools')
})
