import type { Dialect } from './dialect.ts'
import { jamba } from './jamba.ts'
import { lesson, toolResponse } from './teaching.ts'

/**
 * <think>dim it</think>
 * <tool_calls>[{"name": "set_lamp", "arguments": {"room": "den"}}]</tool_calls>
 */
export const hunyuanA13b: Dialect = {
  ...jamba,
  name: 'hunyuan-a13b',
  models: 'Hunyuan-A13B',
  speaks: /hunyuan-?a13b/i,
  dropped: ['<answer>', '</answer>'],
  leading: ['<answer>'],
  teaching: lesson({
    how: 'To call tools, write one list of JSON objects with "name" and "arguments" between <tool_calls> and </tool_calls>.',
    ...toolResponse,
  }),
}
