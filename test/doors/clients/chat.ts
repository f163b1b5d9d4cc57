import type { ClientRequest } from './client-request.ts'

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const tool = (name: string, parameters?: object, more: object = {}) => ({
  type: 'function',
  function: { name, description: `Runs ${name}`, ...(parameters && { parameters }), ...more },
})
const call = (id: string, name: string, args: object, more: object = {}) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
  ...more,
})
const streamed = { stream: true, stream_options: { include_usage: true } }
const read = tool(
  'read',
  object({ filePath: { type: 'string' } }, { required: ['filePath'], additionalProperties: false }),
)
const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }

/** Second turns as agents send them. */
export const chat: readonly ClientRequest[] = [
  [
    'OpenCode: text or "" beside calls, an image after the result, a call of a tool that is not offered',
    {
      ...streamed,
      max_tokens: 8192,
      tool_choice: 'auto',
      tools: [
        read,
        tool('srv_create-issue_v2', {
          $ref: '#/$defs/issue',
          $defs: { issue: object({ up: { $ref: '#/$defs/issue' } }) },
        }),
      ],
      messages: [
        { role: 'system', content: 'You are an agent.' },
        { role: 'user', content: 'Look at a.png.' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [
            call('call_a', 'read', { filePath: 'a.png' }),
            call('call_b', 'invalid', { tool: 'x', error: 'no' }),
          ],
        },
        { role: 'tool', tool_call_id: 'call_a', content: 'Image read successfully' },
        { role: 'tool', tool_call_id: 'call_b', content: 'The arguments were invalid' },
        { role: 'user', content: [{ type: 'text', text: 'Here it is:' }, picture] },
      ],
    },
    ['Look at a.png.', 'Image read successfully', 'The arguments were invalid', 'Here it is:'],
  ],
  [
    'OpenCode with Claude: cache_control anywhere, also inside a call',
    {
      tools: [read],
      messages: [
        { role: 'system', content: 'Agent.', cache_control: { type: 'ephemeral' } },
        { role: 'user', content: 'Go.' },
        {
          role: 'assistant',
          content: 'Yes.',
          tool_calls: [call('call_a', 'read', { filePath: 'a' }, { cache_control: { type: 'ephemeral' } })],
        },
        { role: 'tool', tool_call_id: 'call_a', content: 'A', cache_control: { type: 'ephemeral' } },
      ],
    },
    ['Go.', 'Yes.', 'A'],
  ],
  [
    'OpenCode with DeepSeek and Mistral: empty reasoning, ids of nine letters, a made-up assistant message',
    {
      tools: [read],
      messages: [
        { role: 'user', content: 'Go.' },
        {
          role: 'assistant',
          content: null,
          reasoning_content: '',
          tool_calls: [call('callabcde', 'read', { filePath: 'a' })],
        },
        { role: 'tool', tool_call_id: 'callabcde', content: 'A' },
        { role: 'assistant', content: 'Done.' },
        { role: 'user', content: 'Again.' },
      ],
    },
    ['Go.', 'A', 'Done.', 'Again.'],
  ],
  [
    'Cline: null beside calls, results that are JSON, an object without properties',
    {
      ...streamed,
      tool_choice: 'auto',
      tools: [
        tool('srv__ping', { type: 'object' }),
        tool('ask', object({ q: { anyOf: [{ type: 'string' }, { type: 'null' }] } })),
      ],
      messages: [
        { role: 'user', content: 'Ping.' },
        { role: 'assistant', content: null, tool_calls: [call('call_1', 'srv__ping', {})] },
        { role: 'tool', tool_call_id: 'call_1', content: '{"ok":true}' },
      ],
    },
    ['Ping.', '{"ok":true}'],
  ],
  [
    'older Cline: strict is false, one call at a time, the real result in a user message',
    {
      ...streamed,
      temperature: 0,
      tool_choice: 'auto',
      parallel_tool_calls: false,
      reasoning_effort: 'medium',
      tools: [tool('read_file', object({ path: { type: 'string' } }), { strict: false })],
      messages: [
        { role: 'developer', content: 'Agent.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Task' },
            { type: 'text', text: 'Environment' },
          ],
        },
        { role: 'assistant', content: null, tool_calls: [call('call_1', 'read_file', { path: 'a' })] },
        { role: 'tool', tool_call_id: 'call_1', content: 'result missing' },
        { role: 'user', content: [{ type: 'text', text: '[read_file] Result: A' }] },
      ],
    },
    ['Task', 'Environment', 'result missing', '[read_file] Result: A'],
  ],
  [
    'older Cline without native tools: its own tags in prose, two users in a row',
    {
      ...streamed,
      temperature: 0,
      messages: [
        { role: 'system', content: 'Use <read_file><path>…</path></read_file>.' },
        { role: 'user', content: [{ type: 'text', text: 'Task' }] },
        { role: 'assistant', content: '<read_file>\n<path>a</path>\n</read_file>' },
        { role: 'user', content: '[read_file] Result:' },
        { role: 'user', content: 'A' },
      ],
    },
    ['<read_file>\n<path>a</path>\n</read_file>', '[read_file] Result:', 'A'],
  ],
  [
    'Qwen Code: results in parts, types in a list, oneOf',
    {
      ...streamed,
      max_tokens: 32_000,
      tools: [
        tool(
          'grep',
          object({
            limit: { type: ['integer', 'null'] },
            where: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
          }),
        ),
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Find.' }] },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'Hm.',
          tool_calls: [call('call_1', 'grep', { limit: 3 })],
        },
        { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'Found.' }] },
      ],
    },
    ['Find.', 'Found.'],
  ],
  [
    'pi: max_completion_tokens and store',
    {
      ...streamed,
      store: false,
      max_completion_tokens: 8192,
      tools: [read],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi.' }] }],
    },
    ['Hi.'],
  ],
  [
    'LangChain: strict with optional properties, names everywhere, tool_choice required',
    {
      temperature: 0,
      stream: false,
      tool_choice: 'required',
      parallel_tool_calls: false,
      tools: [
        tool(
          'read_file',
          {
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            ...object(
              { path: { type: 'string' }, mode: { enum: ['a', 'b'] } },
              { required: ['path'], additionalProperties: false },
            ),
          },
          { strict: true },
        ),
      ],
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: '', name: 'model', tool_calls: [call('call_1', 'read_file', { path: 'a' })] },
        { role: 'tool', tool_call_id: 'call_1', name: 'read_file', content: 'A' },
      ],
    },
    ['Go.', 'A'],
  ],
  [
    'LangChain: structured output',
    {
      stream: false,
      response_format: { type: 'json_schema', json_schema: { name: 'out', schema: object({}), strict: true } },
      messages: [{ role: 'user', content: 'Go.' }],
    },
    ['Go.'],
  ],
  [
    'OpenAI Agents: an assistant in parts with annotations beside its calls',
    {
      stream: false,
      tools: [tool('now', object({}, { required: [], additionalProperties: false }), { strict: true })],
      messages: [
        { role: 'system', content: 'Agent.' },
        { role: 'user', content: 'When?' },
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'Let me see.', annotations: [] }],
          tool_calls: [call('call_1', 'now', {})],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'noon' },
      ],
    },
    ['When?', 'Let me see.', 'noon'],
  ],
  [
    'AI SDK: a named tool, stops, a seed',
    {
      tools: [read],
      tool_choice: { type: 'function', function: { name: 'read' } },
      stop: ['END'],
      seed: 1,
      presence_penalty: 0,
      messages: [{ role: 'user', content: 'Go.' }],
    },
    ['Go.'],
  ],
  [
    'an agent in a loop: two assistants in a row, and one at the end',
    {
      tools: [read],
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: 'One.' },
        { role: 'assistant', content: 'Two.' },
      ],
    },
    ['Go.', 'One.', 'Two.'],
  ],
  [
    'the older functions',
    {
      functions: [{ name: 'read', parameters: object({}) }],
      function_call: 'auto',
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: null, function_call: { name: 'read', arguments: '{}' } },
        { role: 'function', name: 'read', content: 'A' },
      ],
    },
    ['Go.', 'A'],
  ],
]
