import type { ClientRequest } from './client-request.ts'

const message = (role: string, ...texts: readonly string[]) => ({
  type: 'message',
  id: `msg_${texts.length}`,
  role,
  content: texts.map((text) => ({ type: 'input_text', text })),
})
const said = (text: string) => ({
  type: 'message',
  id: 'msg_s',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
  phase: 'commentary',
})
const thought = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'Thinking about it.' }],
  content: null,
  encrypted_content: 'RU5D',
}
const call = (call_id: string, name: string, args: string, more: object = {}) => ({
  type: 'function_call',
  status: 'completed',
  id: `fc_${call_id}`,
  name,
  arguments: args,
  call_id,
  ...more,
})
const result = (call_id: string, output: unknown, type = 'function_call_output') => ({ type, call_id, output })

const string = { type: 'string' }
const run = {
  type: 'function',
  name: 'exec_command',
  description: 'Runs a command.',
  strict: false,
  parameters: { type: 'object', properties: { cmd: string }, required: ['cmd'], additionalProperties: false },
}
const applyPatch = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits files. This is a FREEFORM tool, so do not wrap the patch in JSON.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: begin_patch hunk+ end_patch' },
}
const search = {
  type: 'tool_search',
  execution: 'client',
  description: '# Tool discovery',
  parameters: { type: 'object', properties: { query: string }, required: ['query'], additionalProperties: false },
}
const issues = {
  type: 'namespace',
  name: 'mcp__srv',
  description: 'Tools in the mcp__srv namespace.',
  tools: [
    {
      type: 'function',
      name: 'create_issue_v2',
      description: 'Create an issue',
      strict: false,
      defer_loading: true,
      parameters: {
        type: 'object',
        properties: { title: { ...string, encrypted: true }, node: { $ref: '#/$defs/N' } },
        required: ['title'],
        $defs: { N: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/N' } } } } },
      },
    },
    { type: 'function', name: 'pic', description: 'Return a picture', parameters: { type: 'object', properties: {} } },
  ],
}
const hosted = { type: 'web_search', external_web_access: true }
const picture = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'high' }

const codex = {
  stream: true,
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: { summary: 'auto' },
  store: false,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: '00000000-0000-7000-8000-000000000000',
  client_metadata: { 'x-codex-turn-metadata': '{}' },
}
const opening = [
  message('developer', 'You are a coding agent.'),
  message('developer', '<skills_instructions>', '<permissions instructions>'),
  message('user', '<environment_context>'),
  message('user', 'Look at notes.txt.'),
]

export const responses: readonly ClientRequest[] = [
  [
    'Codex, unknown model',
    {
      ...codex,
      tools: [run, issues, hosted],
      input: [
        ...opening,
        thought,
        said('I will look.'),
        call('call_1', 'exec_command', '{"cmd":"cat"}'),
        result('call_1', 'alpha'),
      ],
    },
    ['coding agent', '<permissions', 'Look at notes.txt.', 'I will look.', 'alpha'],
    3,
  ],
  [
    'Codex, a model it knows: apply_patch and tool_search',
    {
      ...codex,
      reasoning: { effort: 'medium' },
      text: { verbosity: 'low' },
      tools: [run, applyPatch, search, hosted],
      input: [
        ...opening,
        {
          type: 'custom_tool_call',
          id: 'ctc_1',
          status: 'completed',
          call_id: 'call_p',
          name: 'apply_patch',
          input: '*** Begin Patch',
        },
        result('call_p', 'Exit code: 0', 'custom_tool_call_output'),
        {
          type: 'tool_search_call',
          id: 'tsc_1',
          call_id: 'call_s',
          status: 'completed',
          execution: 'client',
          arguments: { query: 'issue' },
        },
        { type: 'tool_search_output', call_id: 'call_s', status: 'completed', execution: 'client', tools: [issues] },
        call('call_i', 'create_issue_v2', '{"title":"t"}', { namespace: 'mcp__srv' }),
        result('call_i', [{ type: 'input_text', text: 'created' }]),
      ],
    },
    ['*** Begin Patch', 'Exit code: 0', 'mcp__srv__create_issue_v2', 'created'],
    5,
  ],
  [
    'Codex, responses lite: tools in the conversation',
    {
      ...codex,
      parallel_tool_calls: false,
      reasoning: { effort: 'low', context: 'all_turns' },
      input: [
        {
          type: 'additional_tools',
          id: 'at_1',
          role: 'developer',
          tools: [
            { type: 'namespace', name: 'functions', description: '', tools: [{ ...applyPatch, name: 'exec' }] },
            { ...issues, name: 'collaboration' },
          ],
        },
        ...opening,
        { type: 'custom_tool_call', call_id: 'call_e', name: 'exec', namespace: 'functions', input: 'text(1)' },
        result('call_e', [{ type: 'input_text', text: 'Script completed' }], 'custom_tool_call_output'),
      ],
    },
    ['text(1)', 'Script completed'],
    3,
  ],
  [
    'Codex, an MCP server and its picture, parallel',
    {
      ...codex,
      tools: [run, issues],
      input: [
        ...opening,
        call('call_1', 'create_issue_v2', '{"title":"t"}', { namespace: 'mcp__srv' }),
        call('call_2', 'pic', '{}', { namespace: 'mcp__srv' }),
        result('call_1', [{ type: 'input_text', text: 'Wall time' }]),
        result('call_2', [{ type: 'input_text', text: 'Output:' }, picture]),
      ],
    },
    ['Wall time', 'Output:', 'Images from the tool results'],
    3,
  ],
  [
    'Codex compacts: no tools, but a choice',
    {
      ...codex,
      parallel_tool_calls: false,
      tools: [],
      input: [
        ...opening,
        call('call_1', 'exec_command', '{"cmd":"x"}'),
        result('call_1', 'aborted'),
        message('user', 'CONTEXT CHECKPOINT'),
      ],
    },
    ['aborted', 'CONTEXT CHECKPOINT'],
    0,
  ],
  [
    'Codex resumes: new instructions in the middle',
    {
      ...codex,
      tools: [run],
      input: [...opening, thought, said('Answer 1'), message('developer', 'Fresh.'), message('user', 'Again?')],
    },
    ['Answer 1', 'Fresh.', 'Again?'],
    1,
  ],
  [
    'Codex with an output schema and a picture',
    {
      ...codex,
      tools: [run],
      text: {
        verbosity: 'low',
        format: {
          type: 'json_schema',
          strict: true,
          name: 'codex_output_schema',
          schema: { type: 'object', properties: { a: string }, required: ['a'], additionalProperties: false },
        },
      },
      input: [...opening, { ...message('user', 'See'), content: [{ type: 'input_text', text: 'See' }, picture] }],
    },
    ['See'],
    1,
  ],
  [
    'the SDK: what it was given comes back with its additions',
    {
      store: false,
      stream: true,
      tools: [{ ...run, strict: true }],
      input: [
        { role: 'developer', content: 'x' },
        { role: 'user', content: 'weather?' },
        { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Think.' }] },
        {
          ...said('Checking.'),
          content: [{ type: 'output_text', text: 'Checking.', annotations: [], logprobs: [], parsed: null }],
        },
        call('call_1', 'exec_command', '{"cmd":"x"}', { parsed_arguments: { cmd: 'x' } }),
        result('call_1', 'sunny'),
      ],
    },
    ['weather?', 'Checking.', 'sunny'],
    1,
  ],
  [
    'the SDK: hosted tools, and one of them allowed',
    {
      input: 'x',
      tools: [
        hosted,
        { type: 'file_search', vector_store_ids: ['v'] },
        { type: 'mcp', server_label: 's' },
        { type: 'local_shell' },
      ],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'web_search' }] },
      background: false,
      truncation: 'auto',
      safety_identifier: 's',
      service_tier: 'auto',
      top_logprobs: 2,
      max_tool_calls: 3,
    },
    ['x'],
    0,
  ],
  [
    'AI SDK after a restart: references that are no longer known',
    {
      stream: true,
      tool_choice: 'auto',
      tools: [run],
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'weather?' }] },
        { type: 'item_reference', id: 'rs_gone' },
        { type: 'item_reference', id: 'msg_gone' },
        { type: 'function_call', call_id: 'call_1', name: 'exec_command', arguments: '{"cmd":"x"}' },
        result('call_1', 'sunny'),
      ],
    },
    ['weather?', 'sunny'],
    1,
  ],
  [
    'OpenAI Agents: no store, nothing included, states on results',
    {
      instructions: 'Be short',
      include: [],
      stream: false,
      tools: [{ ...run, parameters: { $schema: 'http://json-schema.org/draft-07/schema#', ...run.parameters } }],
      input: [
        { role: 'user', content: 'weather?' },
        said('Checking.'),
        call('call_1', 'exec_command', '{"cmd":"x"}'),
        { ...result('call_1', 'sunny'), status: 'completed' },
      ],
    },
    ['Be short', 'weather?', 'sunny'],
    1,
  ],
]
