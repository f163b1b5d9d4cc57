import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anthropicMessages } from '../../src/doors/anthropic-messages/door.ts'
import type { GatewayError } from '../../src/errors.ts'
import type { Event } from '../../src/protocol/event.ts'
import { type Message, textOf } from '../../src/protocol/message.ts'
import type { UpstreamEvent, UpstreamRequest } from '../../src/upstreams/upstream.ts'
import { context, createScripted, says, turnsOver } from '../turn/scripted.ts'
import { checkMessage, checkStream } from './messages-checker.ts'
import { answerAt, readAt } from './visit.ts'

type Fields = Readonly<Record<string, unknown>>

const usage: UpstreamEvent = { type: 'usage', promptTokens: 1, completionTokens: 1 }
const modes = ['native', 'prompt'] as const

/** A body put in at the door, to the end of its answer; every byte of it is looked at. What the service was asked. */
async function put(body: Fields, tools: (typeof modes)[number]): Promise<UpstreamRequest> {
  if (body['max_tokens'] === undefined) {
    const counted: UpstreamRequest[] = []
    const countTokens = async (request: UpstreamRequest) => counted.push(request)
    const { body: text } = await answerAt(anthropicMessages, 'POST', '/v1/messages/count_tokens', {
      body: async () => body,
      countTokens,
    })
    expect(JSON.parse(text)).toEqual({ input_tokens: 1 })
    return counted[0] as UpstreamRequest
  }
  const exchange = await readAt(anthropicMessages, '/v1/messages', body)
  const upstream = createScripted([[[usage], ...says('Hello.')]])
  const [request] = exchange.requests
  if (request === undefined) throw new Error('nothing is asked')
  const turn = await turnsOver(upstream, { tools, dialect: 'hermes' }).start({ ...request, model: 'model' }, context)
  const events: Event[] = []
  for await (const batch of turn.events) events.push(...batch)
  const printer = exchange.createStream()
  const pieces = printer.open({ promptTokens: turn.promptTokens }) + printer.push(0, events) + (await printer.end())
  expect(checkStream(pieces).faults).toEqual([])
  expect(checkMessage(JSON.parse(await exchange.printBody([events])))).toEqual([])
  return upstream.asked[0] as UpstreamRequest
}

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { file_path: { type: 'string' } },
  required: ['file_path'],
  additionalProperties: false,
}
const tool = (name: string, more: Fields = {}) => ({ name, description: `Runs ${name}`, input_schema: schema, ...more })
const cached = { cache_control: { type: 'ephemeral' } }
const text = (words: string, more: Fields = {}) => ({ type: 'text', text: words, ...more })
const use = (id: string, name: string, input: Fields) => ({ type: 'tool_use', id, name, input })
const png = { type: 'image', source: { type: 'base64', data: 'iVBORw0KGgo=', media_type: 'image/png' } }
const placeholder = tool('DeferredToolPlaceholder', { defer_loading: true })

/** What Claude Code sends with every request. */
const claudeCode = {
  model: 'model',
  system: [
    text('x-anthropic-billing-header: cc_version=2.1.325.9ba; cc_entrypoint=sdk-cli;'),
    text('You are an agent.', cached),
    text('\nYou work with the user.', cached),
  ],
  tools: [tool('Bash'), tool('Read'), tool('ToolSearch'), placeholder, tool('Write')],
  metadata: { user_id: '{"device_id":"d","account_uuid":"","session_id":"s"}' },
  max_tokens: 32_000,
  thinking: { type: 'adaptive', display: 'updates' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  output_config: { effort: 'high' },
  stream: true,
}
const opening = [
  { role: 'user', content: [text('<system-reminder>\nContext.\n</system-reminder>'), text('please do it')] },
  {
    role: 'system',
    content: '# Environment\nThe following deferred tools are now available via ToolSearch: WebSearch',
  },
]
const weather = tool('get_weather')
const sdk = { model: 'model', max_tokens: 64, tools: [weather], messages: [{ role: 'user', content: 'please do it' }] }

/** As clients send them: what is particular to each is kept, the long prompts are not. */
test.each<[string, Fields, readonly string[], readonly string[]]>([
  [
    'Claude Code: the first turn',
    { ...claudeCode, messages: opening },
    ['Bash', 'Read', 'ToolSearch', 'Write'],
    ['# Environment'],
  ],
  [
    'Claude Code: parallel calls answered in another order, a failure, an image',
    {
      ...claudeCode,
      messages: [
        ...opening,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Let me look.', signature: '' },
            text('I will look.'),
            use('toolu_1', 'Read', { file_path: 'p.png' }),
            use('toolu_2', 'Read', { file_path: 'missing' }),
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', content: 'File does not exist.', is_error: true, tool_use_id: 'toolu_2' },
            { tool_use_id: 'toolu_1', type: 'tool_result', content: [png], ...cached },
          ],
        },
      ],
    },
    ['Bash', 'Read', 'ToolSearch', 'Write'],
    ['I will look.', 'Error: File does not exist.'],
  ],
  [
    'Claude Code: tools that were searched for',
    {
      ...claudeCode,
      tools: [
        ...claudeCode.tools,
        tool('mcp__srv__create-issue_v2', { defer_loading: true }),
        tool('mcp__srv__pic', { defer_loading: true }),
      ],
      messages: [
        ...opening,
        { role: 'assistant', content: [use('toolu_1', 'ToolSearch', { query: 'select:mcp__srv__create-issue_v2' })] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              content: [{ type: 'tool_reference', tool_name: 'mcp__srv__create-issue_v2' }],
            },
          ],
        },
      ],
    },
    ['Bash', 'Read', 'ToolSearch', 'Write', 'mcp__srv__create-issue_v2'],
    ['Tool mcp__srv__create-issue_v2 is now available.'],
  ],
  [
    'Claude Code: input that could not be parsed',
    {
      ...claudeCode,
      messages: [
        ...opening,
        {
          role: 'assistant',
          content: [use('toolu_1', 'Bash', { __unparsedToolInput: { raw: '{"command":"echo h', len: 18 } })],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              content: '<tool_use_error>InputValidationError: Bash …',
              is_error: true,
              tool_use_id: 'toolu_1',
              ...cached,
            },
          ],
        },
      ],
    },
    ['Bash', 'Read', 'ToolSearch', 'Write'],
    ['InputValidationError'],
  ],
  [
    'Claude Code: after the limit of tokens',
    {
      ...claudeCode,
      messages: [
        ...opening,
        { role: 'assistant', content: [text('Half an ans')] },
        { role: 'user', content: [text('Output token limit hit. Resume directly', cached)] },
      ],
    },
    ['Bash', 'Read', 'ToolSearch', 'Write'],
    ['Half an ans', 'Output token limit hit'],
  ],
  [
    'Claude Code: a title, in a form of its own',
    {
      ...claudeCode,
      tools: [],
      thinking: undefined,
      output_config: { effort: 'high', format: { type: 'json_schema', schema } },
      messages: [{ role: 'user', content: [text('<session>\nplease do it\n</session>')] }],
    },
    [],
    [],
  ],
  [
    'Claude Code: a verdict of the vendor is asked for',
    { ...claudeCode, safeguards: [{ type: 'dangerous_tool_use' }], messages: opening },
    ['Bash', 'Read', 'ToolSearch', 'Write'],
    [],
  ],
  [
    'Claude Code: not streaming, thoughts omitted',
    { ...claudeCode, stream: false, thinking: { type: 'adaptive', display: 'omitted' }, messages: opening },
    ['Bash', 'Read', 'ToolSearch', 'Write'],
    [],
  ],
  [
    'Claude Code: tokens of one tool',
    { model: 'model', messages: [{ role: 'user', content: 'please do it' }], tools: [tool('Bash')] },
    ['Bash'],
    [],
  ],
  [
    'Anthropic SDK: a thread',
    { ...sdk, tools: [{ type: 'custom', ...weather }], thread: { type: 'create' }, stream: false },
    ['get_weather'],
    [],
  ],
  [
    'Anthropic SDK: an answer begun',
    { ...sdk, tools: undefined, messages: [...sdk.messages, { role: 'assistant', content: '{"a":' }] },
    [],
    ['{"a":'],
  ],
  [
    'Anthropic SDK: sampling',
    { ...sdk, temperature: 0.2, top_p: 0.9, top_k: 5, stop_sequences: ['END'], metadata: { user_id: 'u' } },
    ['get_weather'],
    [],
  ],
  [
    'AI SDK: the second step',
    {
      ...sdk,
      tools: [{ ...weather, eager_input_streaming: true }],
      tool_choice: { type: 'auto' },
      messages: [
        { role: 'user', content: [text('please do it')] },
        { role: 'assistant', content: [text('Checking.'), use('toolu_1', 'get_weather', { city: 'Oslo' })] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'sunny' }] },
      ],
      stream: true,
    },
    ['get_weather'],
    ['Checking.', 'sunny'],
  ],
])('%s', async (_, body, tools, said) => {
  for (const mode of modes) {
    const asked = await put(body, mode)
    const words = asked.messages.map(({ content }) => textOf(content)).join('\n')
    for (const phrase of ['please do it', ...said]) expect(words).toContain(phrase)
    expect(words).not.toContain('billing')
    if (mode === 'native') expect(asked.tools.map(({ name }) => name)).toEqual(tools)
  }
})

/** The reminder is the last line of the last message alone. */
function withoutReminder({ messages, reminder = '' }: UpstreamRequest): readonly Message[] {
  const last = messages.at(-1)
  if (last === undefined || reminder === '') return messages
  const words = textOf(last.content)
  expect(words.endsWith(reminder)).toBe(true)
  return messages.with(-1, { ...last, content: words.slice(0, -reminder.length).trimEnd() } as Message)
}

interface Recording {
  readonly scenario: string
  readonly request: { readonly method: string; readonly path: string; readonly body: unknown }
}

const folder = join('..', 'shared', 'recordings')
const files = ['claude-code.jsonl', 'anthropic-sdk.jsonl']
  .map((name) => join(folder, name))
  .filter((file) => existsSync(file))

/** What is refused is refused on purpose: what only the vendor can run, or keeps. */
const refused: Readonly<Record<string, RegExp>> = {
  'web-search/03': /server tool web_search is not available here/,
  'web-search-refused/03': /server tool web_search is not available here/,
  'tool-runner/02': /thread/,
}

describe.skipIf(files.length === 0)('recordings of real clients', () => {
  const recordings = files
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Recording)
    .filter(({ request }) => request.method === 'POST')

  test.each(recordings.map((recording) => [recording.scenario, recording.request.body] as const))(
    '%s',
    async (scenario, body) => {
      for (const mode of modes) {
        const why = refused[scenario]
        const taken = put(body as Fields, mode)
        if (why === undefined) expect((await taken).messages.length).toBeGreaterThan(0)
        else expect(await taken.catch((thrown: GatewayError) => thrown.message)).toMatch(why)
      }
    },
  )

  test('a conversation begins with every request as it began with the one before', async () => {
    const errand = recordings.filter(({ scenario }) => scenario.startsWith('errand/'))
    for (const mode of modes) {
      const asked = await Promise.all(errand.map(({ request }) => put(request.body as Fields, mode)))
      expect(asked.length).toBeGreaterThan(2)
      for (const [index, request] of asked.slice(0, -1).entries()) {
        const before = withoutReminder(request)
        expect(asked[index + 1]?.messages.slice(0, before.length)).toEqual(before)
      }
    }
  })
})
