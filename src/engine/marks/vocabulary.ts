/** Words models use whatever dialect they speak. */

/** Marks of thoughts that are understood in every dialect. */
export const think = { open: ['<think>', '<thinking>'], close: ['</think>', '</thinking>'] }

/** Tokens that begin and end texts, which a service should not have shown. */
export const controlTokens = [
  '<bos>',
  '<eos>',
  '<|im_start|>',
  '<|im_end|>',
  '<|endoftext|>',
  '<|end_of_text|>',
  '<|begin_of_text|>',
]

/** What begins a turn, and who speaks in those that are not the model's. */
export const turnOpeners = ['<|im_start|>', '<|im_user|>', '<|start_header_id|>', '<start_of_turn>', '<|turn>']
export const otherRoles = ['user', 'system', 'tool', 'human']

export const nameKeys: ReadonlySet<string> = new Set([
  'name',
  'tool_name',
  'tool',
  'function',
  'function_name',
  'action',
  'recipient_name',
])

export const argumentsKeys: ReadonlySet<string> = new Set([
  'arguments',
  'parameters',
  'args',
  'input',
  'params',
  'action_input',
  'tool_input',
  'kwargs',
])

/** Objects around the envelope proper: `{"type": "function", "function": {…}}`, `{"tool_call": {…}}`. */
export const shellKeys: ReadonlySet<string> = new Set([
  'function',
  'tool_call',
  'function_call',
  'functionCall',
  'tool_use',
  'toolUse',
  'tool_calls',
])

/** Members of an envelope that say nothing a call needs. */
export const otherKeys: ReadonlySet<string> = new Set([
  'id',
  'type',
  'index',
  'call_id',
  'tool_call_id',
  'toolUseId',
  'thought',
  'thoughts',
  'reasoning',
])

/** A list of envelopes as the only member of an object. */
export const listKeys = ['"tool_calls"', '"tool_uses"', '"function_calls"', '"calls"'] as const
