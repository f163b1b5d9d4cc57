import type { Dialect } from './dialect.ts'
import { minimaxM2 } from './minimax-m2.ts'
import { lesson, toolResponse } from './teaching.ts'

/**
 * <dots_function_call>
 * <invoke name="set_lamp">
 * <parameter name="room">den</parameter>
 * </invoke>
 * </dots_function_call>
 */
export const dots: Dialect = {
  ...minimaxM2,
  name: 'dots',
  models: 'dots',
  speaks: /\bdots\b/i,
  grammar: { ...minimaxM2.grammar, section: { open: ['<dots_function_call>\n'], close: ['\n</dots_function_call>'] } },
  dropped: [],
  teaching: lesson({
    how: 'To call tools, write a <dots_function_call> block with an <invoke name="NAME"> element per call and a <parameter name="KEY"> element per argument.',
    ...toolResponse,
  }),
}
