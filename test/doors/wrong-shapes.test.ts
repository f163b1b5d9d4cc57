import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { flavours } from '../../src/upstreams/flavours/registry.ts'
import { ask, batches, type Running, run, say, scriptTurns, stop } from '../server/scripted.ts'

const turns = scriptTurns((_context, nth) =>
  batches([
    ...(turns.starts[nth]?.request.notes ?? []),
    say('hello'),
    { type: 'usage', promptTokens: 1, completionTokens: 1 },
    stop,
  ]),
)
let running: Running
beforeAll(async () => {
  running = await run({ turns })
})
afterAll(() => running.gateway.close())

type DoorName = 'chat' | 'responses' | 'messages' | 'ollama'

const messages = [{ role: 'user', content: 'hi' }]
const doors: Readonly<Record<DoorName, { readonly path: string; readonly body: JsonObject }>> = {
  chat: { path: '/v1/chat/completions', body: { model: 'm', messages } },
  responses: { path: '/v1/responses', body: { model: 'm', input: 'hi' } },
  messages: { path: '/v1/messages', body: { model: 'm', max_tokens: 50, messages } },
  ollama: { path: '/api/chat', body: { model: 'm', messages, stream: false } },
}

function put(door: DoorName, fields: JsonObject) {
  const { path, body } = doors[door]
  return ask(running.port, { path, body: { ...body, ...fields } })
}

const parameters = { type: 'object', properties: { path: { type: 'string' } } }
const tools = {
  chat: { type: 'function', function: { name: 'read', parameters } },
  responses: { type: 'function', name: 'read', parameters },
  messages: { name: 'read', input_schema: parameters },
  bare: { name: 'read', parameters },
  mcp: { name: 'read', inputSchema: parameters },
  gemini: { functionDeclarations: [{ name: 'read', parameters }] },
} as const

const written = {
  chat: '{"type": "function", "function": {"name", "description", "parameters"}}',
  responses: '{"type": "function", "name", "description", "parameters"}',
  messages: '{"name", "description", "input_schema"}',
  bare: '{"name", "description", "parameters"}',
  mcp: '{"name", "description", "inputSchema"}',
  gemini: '{"functionDeclarations": [{"name", "parameters"}]}',
} as const
const ownForm: Readonly<Record<DoorName, 'chat' | 'responses' | 'messages'>> = {
  chat: 'chat',
  responses: 'responses',
  messages: 'messages',
  ollama: 'chat',
}
const everyDoor = Object.keys(doors) as DoorName[]
const told = (text: string): string => JSON.parse(text).error.message ?? JSON.parse(text).error

describe.each(everyDoor)('at the door "%s"', (door) => {
  const own = ownForm[door]

  test.each(Object.keys(tools).filter((form) => form !== own) as (keyof typeof tools)[])(
    'a tool in the form of %s is refused, and both forms are named',
    async (form) => {
      const { status, text } = await put(door, { tools: [tools[form]] })
      expect(status).toBe(400)
      expect(told(text)).toContain(`(${written[form]}). Here, a tool is ${written[own]}.`)
      expect(text).toMatch(/tools[[.]0/)
    },
  )

  test('a tool that is only a name is refused, and the form is named', async () => {
    const { status, text } = await put(door, { tools: [{ name: 'read' }] })
    expect(status).toBe(400)
    expect(told(text)).toContain(`Here, a tool is ${written[own]}.`)
  })

  test.each<JsonObject | string>([{ read: tools[own] }, 'read'])(
    'tools that are no list are refused: %j',
    async (wrong) => {
      expect((await put(door, { tools: wrong })).status).toBe(400)
    },
  )

  test('a tool in its own form is taken', async () => {
    const { status, headers } = await put(door, { tools: [tools[own]], tool_choice: null })
    expect({ status, notice: headers['x-dragoman-notice'] }).toEqual({ status: 200, notice: undefined })
  })
})

describe('a choice of tools in the form of another API is refused, and both forms are named:', () => {
  const openai = [{ type: 'auto' }, { type: 'any' }, { type: 'none' }, { type: 'tool', name: 'read' }]
  const nested = { type: 'function', function: { name: 'read' } }
  const flat = { type: 'function', name: 'read' }
  test.each<[DoorName, JsonObject | string]>([
    ...[...openai, flat].map((choice): [DoorName, JsonObject] => ['chat', choice]),
    ...[...openai, nested].map((choice): [DoorName, JsonObject] => ['responses', choice]),
    ...[...openai, flat].map((choice): [DoorName, JsonObject] => ['ollama', choice]),
    ...['auto', 'none', 'required', nested, flat].map((choice): [DoorName, JsonObject | string] => [
      'messages',
      choice,
    ]),
  ])('%s %j', async (door, choice) => {
    const { status, text } = await put(door, { tools: [tools[ownForm[door]]], tool_choice: choice })
    expect(status).toBe(400)
    expect(told(text)).toMatch(/This one is written as for .* Here, a tool choice is /)
  })

  test.each<[JsonObject | string]>([['any'], ['read'], [{ type: 'function', function: { name: 'zap' } }]])(
    'at Ollama’s door, %j is no choice',
    async (choice) => {
      expect((await put('ollama', { tools: [tools.chat], tool_choice: choice })).status).toBe(400)
    },
  )
})

describe('a conversation that another API would find elsewhere is not taken for none:', () => {
  test.each<[string, JsonObject, RegExp]>([
    ['/v1/responses', { messages }, /'input'\. 'messages' is chat completions' word for it\.$/],
    ['/v1/responses', { input: [{ type: 'x' }] }, /^Invalid 'input': .* Items that are not known here: x\.$/],
    ['/v1/messages', { max_tokens: 5, messages, system: 5 }, /system: .* a string or an array of text blocks, but got/],
  ])('%s %j', async (path, fields, expected) => {
    const { status, text } = await ask(running.port, { path, body: { model: 'm', ...fields } })
    expect(status).toBe(400)
    expect(told(text)).toMatch(expected)
  })

  test('tools at /api/generate, which has none, are noted', async () => {
    const body = { model: 'm', prompt: 'hi', stream: false, tools: [tools.chat] }
    const { headers } = await ask(running.port, { path: '/api/generate', body })
    expect(headers['x-dragoman-notice']).toBe('field_unknown;fields="tools (POST /api/chat?)"')
  })
})

describe('what only a vendor runs is left out, as ever:', () => {
  const search = { type: 'web_search_20250305', name: 'web_search' }
  test('beside others', async () => {
    await put('messages', { tools: [search, tools.messages] })
    expect(turns.starts.at(-1)?.request).toMatchObject({
      tools: [{ name: 'read' }],
      hosted: [{ kind: 'hosted', name: 'web_search' }],
    })
  })

  test('but not alone', async () => {
    const { status, text } = await put('messages', { tools: [search] })
    expect(status).toBe(400)
    expect(text).toContain('server tool web_search is not available here')
  })
})

describe('a field that is much like a known one, or is called so elsewhere, is noted and not refused:', () => {
  const wrong: readonly [DoorName, JsonObject, string][] = [
    ['chat', { tool_chioce: 'auto' }, 'tool_chioce (tool_choice?)'],
    ['chat', { max_token: 5 }, 'max_token (max_tokens?)'],
    ['chat', { maxTokens: 5 }, 'maxTokens (max_tokens?)'],
    ['chat', { 'response-format': {} }, 'response-format (response_format?)'],
    ['chat', { temprature: 0 }, 'temprature (temperature?)'],
    ['chat', { max_output_tokens: 5 }, 'max_output_tokens (max_completion_tokens?)'],
    ['chat', { stop_sequences: ['x'], tolls: [] }, 'stop_sequences (stop?), tolls (tools?)'],
    [
      'chat',
      { tools: [{ type: 'function', function: { name: 'a', paramters: {} } }] },
      'tools[0].function.paramters (tools[0].function.parameters?)',
    ],
    [
      'chat',
      { tools: [{ type: 'function', function: { name: 'a', input_schema: {} } }] },
      'tools[0].function.input_schema (tools[0].function.parameters?)',
    ],
    ['chat', { functions: [{ name: 'a', input_schema: {} }] }, 'functions[0].input_schema (functions[0].parameters?)'],
    ['chat', { system: 'Be brief.' }, 'system (messages[0]?)'],
    ['chat', { instructions: 'Be brief.' }, 'instructions (messages[0]?)'],
    ['responses', { max_tokens: 5 }, 'max_tokens (max_output_tokens?)'],
    ['responses', { response_format: {} }, 'response_format (text.format?)'],
    ['responses', { previous_responce_id: 'x' }, 'previous_responce_id (previous_response_id?)'],
    ['messages', { stop: ['x'] }, 'stop (stop_sequences?)'],
    ['messages', { tool_chioce: { type: 'auto' } }, 'tool_chioce (tool_choice?)'],
    ['messages', { max_token: 5 }, 'max_token (max_tokens?)'],
    ['ollama', { temperature: 0 }, 'temperature (options.temperature?)'],
    [
      'ollama',
      { max_tokens: 9, options: { temprature: 1 } },
      'max_tokens (options.num_predict?), options.temprature (options.temperature?)',
    ],
    ['ollama', { response_format: {} }, 'response_format (format?)'],
    ['ollama', { system: 'Be brief.', prompt: 'hi' }, 'system (messages[0]?)'],
    ['chat', { format: 'json' }, 'format (response_format?)'],
    ['messages', { format: 'json' }, 'format (output_config.format?)'],
  ]
  test.each(wrong)('%s %j', async (door, fields, expected) => {
    const logged = running.nextRecord()
    const { status, headers } = await put(door, fields)
    expect({ status, notice: headers['x-dragoman-notice'] }).toEqual({
      status: 200,
      notice: `field_unknown;fields="${expected}"`,
    })
    expect((await logged).notes).toContain(`field_unknown;fields="${expected}"`)
  })

  test.each([
    ['/api/generate', 'promt', 'prompt'],
    ['/api/generate', 'messages', 'prompt'],
    ['/api/chat', 'mesages', 'messages'],
    ['/api/chat', 'prompt', 'messages'],
  ])('%s with %s alone does not pass for one that loads a model', async (path, name, meant) => {
    const { status, text } = await ask(running.port, { path, body: { model: 'm', stream: false, [name]: 'hi' } })
    expect({ status, text: told(text) }).toEqual({
      status: 400,
      text: `Nothing is asked, and one field is unknown here: ${name} (${meant}?)`,
    })
  })

  const taken = [...new Set(flavours.flatMap(({ traits }) => (traits.takes === 'all' ? [] : traits.takes)))]
  const official = [
    ...['store', 'metadata', 'modalities', 'prediction', 'service_tier', 'verbosity', 'web_search_options', 'audio'],
    ...['prompt_cache_key', 'safety_identifier', 'models', 'provider', 'transforms', 'plugins', 'reasoning', 'usage'],
    ...['think', 'thinking', 'enable_thinking', 'cache_control', 'n_predict', 'best_of', 'ignore_eos', 'user_id'],
  ]
  test.each([...taken, ...official])('%s is none', async (name) => {
    const { headers } = await put('chat', { [name]: name === 'metadata' ? {} : 'x' })
    expect(headers['x-dragoman-notice']).toBeUndefined()
  })
})

describe('a result of no call is told to the model all the same, with a notice', () => {
  test.each<[DoorName, JsonObject]>([
    ['responses', { input: [...messages, { type: 'function_call_output', call_id: 'nope', output: 'sunny' }] }],
    [
      'messages',
      { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'nope', content: 'sunny' }] }] },
    ],
    ['ollama', { messages: [...messages, { role: 'tool', tool_call_id: 'nope', content: 'sunny' }] }],
  ])('at the door "%s"', async (door, fields) => {
    const { status, headers } = await put(door, fields)
    expect(status).toBe(200)
    expect(headers['x-dragoman-notice']).toMatch(/^history_healed;why="/)
    expect(JSON.stringify(turns.starts.at(-1)?.request.messages)).toContain('sunny')
  })

  test('at the chat door it is refused', async () => {
    const wrong = [...messages, { role: 'tool', tool_call_id: 'nope', content: 'sunny' }]
    await put('chat', { messages: wrong })
    expect(turns.starts.at(-1)?.request.faults).toMatchObject([{ code: 'unknown_tool_call_id' }])
  })

  test('calls in another form than blocks are noted as left out', async () => {
    const asked = { role: 'assistant', content: 'a', tool_calls: [{ id: 'c', function: { name: 'read' } }] }
    const { headers } = await put('messages', { messages: [...messages, asked, ...messages] })
    expect(headers['x-dragoman-notice']).toBe('item_dropped;items="tool_calls"')
  })
})
