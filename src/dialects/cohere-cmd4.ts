import { cohereCmd3 } from './cohere-cmd3.ts'
import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * <|START_THINKING|>dim it<|END_THINKING|><|START_ACTION|>[{"tool_name": "set_lamp", "parameters": {"room": "den"}, "tool_call_id": "0"}]<|END_ACTION|>
 */
export const cohereCmd4: Dialect = {
  ...cohereCmd3,
  name: 'cohere-cmd4',
  models: 'Command A 2026, North',
  speaks: /command-a-2026|command-?4|\bnorth\b/i,
  teaching: lesson({
    how: 'To call tools, end your thoughts and write a JSON array of objects with "tool_call_id", "tool_name" and "parameters" between <|START_ACTION|> and <|END_ACTION|>.',
    result: '<|START_TOOL_RESULT|>{id} {content}<|END_TOOL_RESULT|>',
    resultSeparator: '\n',
  }),
}
