import type { ClientRequest } from './client-request.ts'

type Fields = Readonly<Record<string, unknown>>

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

export const messages: readonly ClientRequest[] = [
  [
    'Claude Code: the first turn',
    { ...claudeCode, messages: opening },
    ['# Environment'],
    ['Bash', 'Read', 'ToolSearch', 'Write'],
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
    ['I will look.', 'Error: File does not exist.'],
    ['Bash', 'Read', 'ToolSearch', 'Write'],
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
    ['Tool mcp__srv__create-issue_v2 is now available.'],
    ['Bash', 'Read', 'ToolSearch', 'Write', 'mcp__srv__create-issue_v2'],
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
    ['InputValidationError'],
    ['Bash', 'Read', 'ToolSearch', 'Write'],
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
    ['Half an ans', 'Output token limit hit'],
    ['Bash', 'Read', 'ToolSearch', 'Write'],
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
    [],
    ['Bash', 'Read', 'ToolSearch', 'Write'],
  ],
  [
    'Claude Code: not streaming, thoughts omitted',
    { ...claudeCode, stream: false, thinking: { type: 'adaptive', display: 'omitted' }, messages: opening },
    [],
    ['Bash', 'Read', 'ToolSearch', 'Write'],
  ],
  [
    'Anthropic SDK: a thread',
    { ...sdk, tools: [{ type: 'custom', ...weather }], thread: { type: 'create' }, stream: false },
    [],
    ['get_weather'],
  ],
  [
    'Anthropic SDK: an answer begun',
    { ...sdk, tools: undefined, messages: [...sdk.messages, { role: 'assistant', content: '{"a":' }] },
    ['{"a":'],
    [],
  ],
  [
    'Anthropic SDK: sampling',
    { ...sdk, temperature: 0.2, top_p: 0.9, top_k: 5, stop_sequences: ['END'], metadata: { user_id: 'u' } },
    [],
    ['get_weather'],
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
    ['Checking.', 'sunny'],
    ['get_weather'],
  ],
]
