import { describe, expect, test } from 'vitest'
import { GatewayError, joinFailures } from '../../../errors.ts'
import { readRequest } from './request.ts'

const user = { role: 'user', content: 'hi' }
const tool = (name: unknown, more: object = {}) => ({ type: 'function', function: { name, ...more } })
const schema = (parameters: unknown) => ({ tools: [tool('read', { parameters })] })
const strict = (parameters: unknown) => ({ tools: [tool('read', { parameters, strict: true })] })
const toolCall = (id: unknown, args: unknown = '{}') => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: args },
})
const asks = (...ids: string[]) => ({ role: 'assistant', content: null, tool_calls: ids.map((id) => toolCall(id)) })
const answers = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'done' })
const messages = (...list: unknown[]) => ({ messages: list })
const nested = (levels: number): object =>
  levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(levels - 1) } }
const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) })

function failureOf(body: unknown): { param: string | null; code: string; message: string } {
  try {
    const { faults = [] } = readRequest(body).request
    if (faults.length > 0) return joinFailures(faults)
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown
    throw thrown
  }
  throw new Error('the request was accepted')
}

/** What is put over a good request, and what is then at fault. */
const refused: readonly (readonly [what: string, over: object, param: string, code: string])[] = [
  ['no model', { model: undefined }, 'model', 'missing_required_parameter'],
  ['a null model', { model: null }, 'model', 'invalid_type'],
  ['a number as model', { model: 4 }, 'model', 'invalid_type'],
  ['an empty model', { model: '' }, 'model', 'invalid_value'],
  ['no messages', { messages: undefined }, 'messages', 'missing_required_parameter'],
  ['messages that are text', { messages: 'hi' }, 'messages', 'invalid_type'],
  ['empty messages', messages(), 'messages', 'empty_array'],
  ['a message that is text', messages('hi'), 'messages[0]', 'invalid_type'],
  ['a null message', messages(user, null), 'messages[1]', 'invalid_type'],
  ['a message without role', messages({ content: 'x' }), 'messages[0].role', 'missing_required_parameter'],
  ['an unknown role', messages(user, { role: 'robot', content: 'x' }), 'messages[1].role', 'invalid_value'],
  ['a user without content', messages({ role: 'user' }), 'messages[0].content', 'missing_required_parameter'],
  ['a user with null content', messages({ role: 'user', content: null }), 'messages[0].content', 'invalid_type'],
  ['a number as content', messages({ role: 'user', content: 4 }), 'messages[0].content', 'invalid_type'],
  ['an object as content', messages({ role: 'user', content: {} }), 'messages[0].content', 'invalid_type'],
  ['empty parts', messages({ role: 'user', content: [] }), 'messages[0].content', 'empty_array'],
  ['a part that is text', messages({ role: 'user', content: ['x'] }), 'messages[0].content[0]', 'invalid_type'],
  [
    'a part without type',
    messages({ role: 'user', content: [{ text: 'x' }] }),
    'messages[0].content[0].type',
    'missing_required_parameter',
  ],
  [
    'an unknown part',
    messages({ role: 'user', content: [{ type: 'hologram' }] }),
    'messages[0].content[0].type',
    'invalid_value',
  ],
  [
    'a text part without text',
    messages({ role: 'user', content: [{ type: 'text' }] }),
    'messages[0].content[0].text',
    'missing_required_parameter',
  ],
  [
    'an image without address',
    messages({ role: 'user', content: [{ type: 'image_url', image_url: {} }] }),
    'messages[0].content[0].image_url.url',
    'missing_required_parameter',
  ],
  [
    'a sound without sound',
    messages({ role: 'user', content: [{ type: 'input_audio' }] }),
    'messages[0].content[0].input_audio',
    'missing_required_parameter',
  ],
  [
    'an image from the system',
    messages({ role: 'system', content: [{ type: 'image_url', image_url: { url: 'x' } }] }),
    'messages[0].content[0].type',
    'invalid_value',
  ],
  ['a name that is a number', messages({ ...user, name: 3 }), 'messages[0].name', 'invalid_type'],

  ['empty calls', messages(user, { role: 'assistant', tool_calls: [] }), 'messages[1].tool_calls', 'empty_array'],
  ['calls as object', messages({ role: 'assistant', tool_calls: {} }), 'messages[0].tool_calls', 'invalid_type'],
  [
    'a call without id',
    messages({ role: 'assistant', tool_calls: [toolCall(undefined)] }),
    'messages[0].tool_calls[0].id',
    'missing_required_parameter',
  ],
  [
    'a call with an empty id',
    messages({ role: 'assistant', tool_calls: [toolCall('')] }),
    'messages[0].tool_calls[0].id',
    'invalid_value',
  ],
  [
    'a call without type',
    messages({ role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'x', arguments: '{}' } }] }),
    'messages[0].tool_calls[0].type',
    'missing_required_parameter',
  ],
  [
    'a call without function',
    messages({ role: 'assistant', tool_calls: [{ id: 'a', type: 'function' }] }),
    'messages[0].tool_calls[0].function',
    'missing_required_parameter',
  ],
  [
    'a call without name',
    messages({ role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { arguments: '{}' } }] }),
    'messages[0].tool_calls[0].function.name',
    'missing_required_parameter',
  ],
  [
    'arguments as object',
    messages({ role: 'assistant', tool_calls: [toolCall('a', {})] }),
    'messages[0].tool_calls[0].function.arguments',
    'invalid_type',
  ],
  [
    'arguments that are not JSON',
    messages({ role: 'assistant', tool_calls: [toolCall('a', '{"path": ')] }),
    'messages[0].tool_calls[0].function.arguments',
    'malformed_tool_arguments',
  ],
  [
    'arguments that are a list',
    messages({ role: 'assistant', tool_calls: [toolCall('a', '[1]')] }),
    'messages[0].tool_calls[0].function.arguments',
    'malformed_tool_arguments',
  ],
  [
    'arguments too deep to print',
    messages({ role: 'assistant', tool_calls: [toolCall('a', JSON.stringify(deep(200)))] }),
    'messages[0].tool_calls[0].function.arguments',
    'malformed_tool_arguments',
  ],
  [
    'a custom call without input',
    messages({ role: 'assistant', tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'sql' } }] }),
    'messages[0].tool_calls[0].custom.input',
    'missing_required_parameter',
  ],
  ['one id for two calls', messages(asks('a', 'a')), 'messages[0].tool_calls[1].id', 'duplicate_tool_call_id'],

  [
    'a result without id',
    messages(user, asks('a'), { role: 'tool', content: 'x' }),
    'messages[2].tool_call_id',
    'missing_tool_call_id',
  ],
  [
    'a result with an empty id',
    messages(user, asks('a'), { role: 'tool', tool_call_id: '', content: 'x' }),
    'messages[2].tool_call_id',
    'missing_tool_call_id',
  ],
  [
    'a result whose id is a number',
    messages(user, asks('a'), { role: 'tool', tool_call_id: 7, content: 'x' }),
    'messages[2].tool_call_id',
    'invalid_type',
  ],
  ['a result of no call', messages(user, answers('a')), 'messages[1].tool_call_id', 'unknown_tool_call_id'],
  [
    'a result of another call',
    messages(user, asks('a'), answers('a'), asks('b'), answers('c')),
    'messages[4].tool_call_id',
    'unknown_tool_call_id',
  ],
  [
    'a result before its call',
    messages(user, answers('a'), asks('a')),
    'messages[1].tool_call_id',
    'unknown_tool_call_id',
  ],
  [
    'two results of one call',
    messages(user, asks('a'), answers('a'), answers('a')),
    'messages[3].tool_call_id',
    'duplicate_tool_call_id',
  ],
  [
    'a result without content',
    messages(user, asks('a'), { role: 'tool', tool_call_id: 'a' }),
    'messages[2].content',
    'missing_required_parameter',
  ],
  [
    'a call not answered when the user speaks',
    messages(user, asks('a'), user),
    'messages[1].tool_calls[0].id',
    'unanswered_tool_call',
  ],
  [
    'one of two calls not answered',
    messages(user, asks('a', 'b'), answers('a'), user),
    'messages[1].tool_calls[1].id',
    'unanswered_tool_call',
  ],
  [
    'a function result of no call',
    messages(user, { role: 'function', name: 'read', content: 'x' }),
    'messages[1].name',
    'unknown_tool_call_id',
  ],
  [
    'a function result without name',
    messages(user, { role: 'function', content: 'x' }),
    'messages[1].name',
    'missing_required_parameter',
  ],
  [
    'an older call not answered',
    messages(user, { role: 'assistant', function_call: { name: 'read', arguments: '{}' } }, user),
    'messages[1].function_call',
    'unanswered_tool_call',
  ],

  ['tools as object', { tools: {} }, 'tools', 'invalid_type'],
  [
    'too many tools',
    { tools: Array.from({ length: 513 }, (_, n) => tool(`t${n}`)) },
    'tools',
    'array_above_max_length',
  ],
  ['a tool that is text', { tools: ['read'] }, 'tools[0]', 'invalid_type'],
  ['a tool without type', { tools: [{ function: { name: 'x' } }] }, 'tools[0].type', 'missing_required_parameter'],
  ['an unknown type of tool', { tools: [{ type: 'web_search' }] }, 'tools[0].type', 'invalid_value'],
  ['a flat tool', { tools: [{ type: 'function', name: 'x' }] }, 'tools[0].function', 'missing_required_parameter'],
  ['a tool without name', { tools: [tool(undefined)] }, 'tools[0].function.name', 'missing_required_parameter'],
  ['a tool with an empty name', { tools: [tool('')] }, 'tools[0].function.name', 'invalid_value'],
  ['a tool with a space in it', { tools: [tool('a'), tool('a b')] }, 'tools[1].function.name', 'invalid_value'],
  ['a tool with a dot', { tools: [tool('a.b')] }, 'tools[0].function.name', 'invalid_value'],
  ['a long name', { tools: [tool('x'.repeat(65))] }, 'tools[0].function.name', 'string_above_max_length'],
  ['two tools of one name', { tools: [tool('a'), tool('a')] }, 'tools[1].function.name', 'invalid_value'],
  [
    'a description of numbers',
    { tools: [tool('a', { description: 3 })] },
    'tools[0].function.description',
    'invalid_type',
  ],
  ['strict as text', { tools: [tool('a', { strict: 'yes' })] }, 'tools[0].function.strict', 'invalid_type'],
  ['parameters as text', schema('x'), 'tools[0].function.parameters', 'invalid_type'],
  ['parameters as true', schema(true), 'tools[0].function.parameters', 'invalid_type'],
  ['parameters as list', schema([]), 'tools[0].function.parameters', 'invalid_type'],
  ['parameters of a string', schema({ type: 'string' }), 'tools[0].function.parameters', 'invalid_function_parameters'],
  [
    'properties as list',
    schema({ type: 'object', properties: [] }),
    'tools[0].function.parameters',
    'invalid_function_parameters',
  ],
  [
    'required as text',
    schema({ type: 'object', required: 'path' }),
    'tools[0].function.parameters',
    'invalid_function_parameters',
  ],
  [
    'strict, open to more',
    strict({ type: 'object', properties: {}, required: [] }),
    'tools[0].function.parameters',
    'invalid_function_parameters',
  ],
  [
    'strict, not all required',
    strict({ type: 'object', properties: { a: {} }, required: [], additionalProperties: false }),
    'tools[0].function.parameters',
    'invalid_function_parameters',
  ],
  [
    'strict, loose inside a list',
    strict({
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'object', properties: {} } } },
      required: ['a'],
      additionalProperties: false,
    }),
    'tools[0].function.parameters',
    'invalid_function_parameters',
  ],

  [
    'a type that is a number',
    schema({ type: 'object', properties: { a: { type: 3 } } }),
    'tools[0].function.parameters',
    'invalid_function_parameters',
  ],
  [
    'a property that is no schema',
    schema({ type: 'object', properties: { a: 'string' } }),
    'tools[0].function.parameters',
    'invalid_function_parameters',
  ],
  [
    'required names that are numbers',
    schema({ type: 'object', required: [1] }),
    'tools[0].function.parameters',
    'invalid_function_parameters',
  ],
  [
    'alternatives that are no list',
    schema({ anyOf: { type: 'object' } }),
    'tools[0].function.parameters',
    'invalid_function_parameters',
  ],
  [
    'values that are no list',
    schema({ type: 'object', properties: { a: { enum: 'b' } } }),
    'tools[0].function.parameters',
    'invalid_function_parameters',
  ],
  [
    'a bound that is text',
    schema({ type: 'object', properties: { a: { type: 'integer', minimum: '1' } } }),
    'tools[0].function.parameters',
    'invalid_function_parameters',
  ],
  [
    'items that are text',
    schema({ type: 'object', properties: { a: { type: 'array', items: 'string' } } }),
    'tools[0].function.parameters',
    'invalid_function_parameters',
  ],
  [
    'a reference that is no text',
    schema({ type: 'object', properties: { a: { $ref: 7 } } }),
    'tools[0].function.parameters',
    'invalid_function_parameters',
  ],
  ['a schema nested too deep', schema(nested(80)), 'tools[0].function.parameters', 'invalid_function_parameters'],
  [
    'a schema with too many places',
    schema({ type: 'object', properties: Object.fromEntries(Array.from({ length: 8_193 }, (_, n) => [`p${n}`, {}])) }),
    'tools[0].function.parameters',
    'invalid_function_parameters',
  ],
  [
    'too many references',
    schema({ anyOf: Array.from({ length: 1_001 }, () => ({ $ref: '#/$defs/a' })), $defs: { a: { type: 'object' } } }),
    'tools[0].function.parameters',
    'invalid_function_parameters',
  ],
  [
    'strict, a reference that leads nowhere',
    strict({ type: 'object', properties: { a: { $ref: '#/$defs/b' } }, required: ['a'], additionalProperties: false }),
    'tools[0].function.parameters',
    'invalid_function_parameters',
  ],
  [
    'strict, loose in a definition',
    strict({
      type: 'object',
      properties: {},
      required: [],
      additionalProperties: false,
      $defs: { a: { type: 'object', properties: {} } },
    }),
    'tools[0].function.parameters',
    'invalid_function_parameters',
  ],
  [
    'an unknown custom format',
    { tools: [{ type: 'custom', custom: { name: 'sql', format: { type: 'poem' } } }] },
    'tools[0].custom.format.type',
    'invalid_value',
  ],
  [
    'a grammar without definition',
    { tools: [{ type: 'custom', custom: { name: 'sql', format: { type: 'grammar', grammar: { syntax: 'lark' } } } }] },
    'tools[0].custom.format.grammar.definition',
    'missing_required_parameter',
  ],
  [
    'a function without name beside others',
    { functions: [{ name: 'a' }, { description: 'x' }] },
    'functions[1].name',
    'missing_required_parameter',
  ],
  [
    'function parameters of a string',
    { functions: [{ name: 'a', parameters: { type: 'string' } }] },
    'functions[0].parameters',
    'invalid_function_parameters',
  ],
  [
    'a custom tool without name',
    { tools: [{ type: 'custom', custom: {} }] },
    'tools[0].custom.name',
    'missing_required_parameter',
  ],

  ['an unknown choice', { tools: [tool('a')], tool_choice: 'any' }, 'tool_choice', 'invalid_value'],
  ['a number as choice', { tools: [tool('a')], tool_choice: 1 }, 'tool_choice', 'invalid_type'],
  ['required without tools', { tool_choice: 'required' }, 'tool_choice', 'invalid_value'],
  ['required with no tools in the list', { tools: [], tool_choice: 'required' }, 'tool_choice', 'invalid_value'],
  [
    'a named tool without tools',
    { tool_choice: { type: 'function', function: { name: 'a' } } },
    'tool_choice',
    'invalid_value',
  ],
  [
    'a named tool that is not there',
    { tools: [tool('a')], tool_choice: { type: 'function', function: { name: 'b' } } },
    'tool_choice',
    'unknown_tool',
  ],
  ['a choice without type', { tools: [tool('a')], tool_choice: {} }, 'tool_choice.type', 'missing_required_parameter'],
  [
    'a choice without name',
    { tools: [tool('a')], tool_choice: { type: 'function', function: {} } },
    'tool_choice.function.name',
    'missing_required_parameter',
  ],
  [
    'allowed tools without mode',
    { tools: [tool('a')], tool_choice: { type: 'allowed_tools', allowed_tools: { tools: [] } } },
    'tool_choice.allowed_tools.mode',
    'missing_required_parameter',
  ],
  [
    'allowed tools that are none',
    { tools: [tool('a')], tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } } },
    'tool_choice.allowed_tools.tools',
    'empty_array',
  ],
  [
    'an allowed tool that is not there',
    { tools: [tool('a')], tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [tool('b')] } } },
    'tool_choice.allowed_tools.tools[0].function.name',
    'unknown_tool',
  ],
  ['parallel as text', { tools: [tool('a')], parallel_tool_calls: 'no' }, 'parallel_tool_calls', 'invalid_type'],
  ['functions beside tools', { tools: [tool('a')], functions: [{ name: 'b' }] }, 'functions', 'invalid_value'],
  ['a function without name', { functions: [{}] }, 'functions[0].name', 'missing_required_parameter'],
  ['two functions of one name', { functions: [{ name: 'a' }, { name: 'a' }] }, 'functions[1].name', 'invalid_value'],
  [
    'a function not there',
    { functions: [{ name: 'a' }], function_call: { name: 'b' } },
    'function_call',
    'unknown_tool',
  ],
  [
    'an unknown function choice',
    { functions: [{ name: 'a' }], function_call: 'required' },
    'function_call',
    'invalid_value',
  ],

  ['temperature too high', { temperature: 2.1 }, 'temperature', 'invalid_value'],
  ['temperature too low', { temperature: -0.1 }, 'temperature', 'invalid_value'],
  ['temperature as text', { temperature: '0.5' }, 'temperature', 'invalid_type'],
  ['top_p too high', { top_p: 1.5 }, 'top_p', 'invalid_value'],
  ['presence_penalty too low', { presence_penalty: -3 }, 'presence_penalty', 'invalid_value'],
  ['frequency_penalty too high', { frequency_penalty: 3 }, 'frequency_penalty', 'invalid_value'],
  ['seed with a fraction', { seed: 1.5 }, 'seed', 'invalid_type'],
  ['a bias out of range', { logit_bias: { '42': 101 } }, 'logit_bias.42', 'invalid_value'],
  ['logprobs as number', { logprobs: 3 }, 'logprobs', 'invalid_type'],
  ['top_logprobs too high', { logprobs: true, top_logprobs: 21 }, 'top_logprobs', 'invalid_value'],
  ['top_logprobs alone', { top_logprobs: 2 }, 'top_logprobs', 'invalid_value'],
  ['max_tokens of none', { max_tokens: 0 }, 'max_tokens', 'invalid_value'],
  ['max_tokens with a fraction', { max_tokens: 1.5 }, 'max_tokens', 'invalid_type'],
  ['max_completion_tokens below none', { max_completion_tokens: -1 }, 'max_completion_tokens', 'invalid_value'],
  ['no answers', { n: 0 }, 'n', 'invalid_value'],
  ['too many answers', { n: 129 }, 'n', 'invalid_value'],
  ['too many stops', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop', 'array_above_max_length'],
  ['a stop that is a number', { stop: ['a', 1] }, 'stop[1]', 'invalid_type'],
  ['stream as text', { stream: 'true' }, 'stream', 'invalid_type'],
  ['stream options without stream', { stream_options: { include_usage: true } }, 'stream_options', 'invalid_value'],
  ['stream options as text', { stream: true, stream_options: 'usage' }, 'stream_options', 'invalid_type'],
  [
    'usage as text',
    { stream: true, stream_options: { include_usage: 'yes' } },
    'stream_options.include_usage',
    'invalid_type',
  ],
  ['a format without type', { response_format: {} }, 'response_format.type', 'missing_required_parameter'],
  ['an unknown format', { response_format: { type: 'xml' } }, 'response_format.type', 'invalid_value'],
  [
    'a schema without name',
    { response_format: { type: 'json_schema', json_schema: { schema: {} } } },
    'response_format.json_schema.name',
    'missing_required_parameter',
  ],
  ['a user that is a number', { user: 3 }, 'user', 'invalid_type'],
]

describe('a request is refused, and the field named, for', () => {
  test.each(refused)('%s', (_what, over, param, code) => {
    const failure = failureOf({ model: 'm', messages: [user], ...over })
    expect({ param: failure.param, code: failure.code }).toEqual({ param, code })
  })

  test.each([null, 4, 'text', [], [{}], true])('a body that is %j', (body) => {
    expect(failureOf(body)).toMatchObject({ code: 'invalid_type', param: null })
  })
})

test.each(refused)('the message for %s holds no word that agents retry on', (_what, over) => {
  const { message } = failureOf({ model: 'm', messages: [user], ...over })
  expect(message).not.toMatch(/429|500|502|503|504|524|timeout|rate limit|server error/i)
})

test.each([
  { temperature: 500 },
  { max_tokens: -503 },
  { tools: [tool('x'.repeat(504))] },
  { tools: [tool('a')], tool_choice: 'http_500' },
  { tools: [tool('a')], tool_choice: { type: 'function', function: { name: 'get_timeout_429' } } },
  messages(user, answers('call_500')),
])('what the client sent is not quoted when agents would retry on it: %j', (over) => {
  const { message } = failureOf({ model: 'm', messages: [user], ...over })
  expect(message).not.toMatch(/429|500|502|503|504|524|timeout/i)
})

test.each([
  [{ messages: undefined }, "Missing required parameter: 'messages'."],
  [
    { tools: [tool('a b')] },
    "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
  ],
  [
    { tools: [tool('x'.repeat(74))] },
    "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 74 instead.",
  ],
  [{ temperature: 3 }, "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead."],
  [
    messages({ role: 'user', content: 4 }),
    "Invalid type for 'messages[0].content': expected a string, but got an integer instead.",
  ],
  [{ stream_options: {} }, "The 'stream_options' parameter is only allowed when 'stream' is enabled."],
  [
    messages(user, asks('call_x'), user),
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: 'call_x'",
  ],
  [
    messages(user, asks('a'), answers('a'), answers('a')),
    "Invalid parameter: Duplicate value for 'tool_call_id' of 'a', in messages[2] and messages[3].",
  ],
  [
    strict({ type: 'object', properties: { x: {} }, additionalProperties: false }),
    "Invalid schema for function 'read': In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'x'.",
  ],
])('failures are worded as clients know them: %j', (over, message) => {
  expect(failureOf({ model: 'm', messages: [user], ...over }).message).toBe(message)
})

test('all that is wrong is told at once, the first of it in param', () => {
  const failure = failureOf({
    model: 'm',
    messages: [user, { role: 'robot', content: 'x' }, { role: 'user' }],
    tools: [tool('a b'), tool('c', { parameters: { type: 'string' } })],
    temperature: 9,
    n: 0,
  })
  expect({ param: failure.param, code: failure.code }).toEqual({ param: 'messages[1].role', code: 'invalid_value' })
  const told = ['tools[0].function.name', 'tools[1].function.parameters', 'temperature', 'n']
  expect(told.filter((path) => !failure.message.includes(`[${path}]`))).toEqual([])
})

test('a thousand mistakes make one short message', () => {
  const { message } = failureOf({ model: 'm', messages: Array.from({ length: 1000 }, () => ({ role: 'robot' })) })
  expect(message.length).toBeLessThan(4000)
})

test('one message that cannot be read does not make its results look like strangers', () => {
  const { message } = failureOf({
    model: 'm',
    messages: [user, { ...asks('a'), content: 7 }, answers('a'), user],
  })
  expect(message).not.toContain('tool_call_id')
})

test('tools are limited before they are remembered', () => {
  const body = { model: 'm', messages: [user], tools: [tool('a'), tool('b')] }
  expect(readRequest(body).request.tools).toHaveLength(2)
  expect(() => readRequest(body, { tools: 1 })).toThrow(/maximum length 1/)
})

test('a strict schema that a library generated may have optional properties', () => {
  const parameters = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { path: { type: 'string' }, mode: { enum: ['a', 'b'] } },
    required: ['path'],
    additionalProperties: false,
  }
  expect(readRequest({ model: 'm', messages: [user], ...strict(parameters) }).request.tools).toHaveLength(1)
  expect(
    failureOf({ model: 'm', messages: [user], ...strict({ ...parameters, additionalProperties: true }) }),
  ).toMatchObject({
    code: 'invalid_function_parameters',
  })
})

test('there are bad requests enough', () => {
  expect(refused.length).toBeGreaterThanOrEqual(120)
})
