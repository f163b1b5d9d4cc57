import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * <｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="set_lamp"><steptml:parameter name="room">den</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>
 */
export const step3: Dialect = {
  name: 'step3',
  models: 'Step-3',
  speaks: /step-?3(?!\.[5-9])/i,
  grammar: {
    section: { open: ['<｜tool_calls_begin｜>'], close: ['<｜tool_calls_end｜>'] },
    call: {
      open: [
        '<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="{name}">',
        '<｜tool_call_begin｜><steptml:invoke name="{name}">',
        '<steptml:invoke name="{name}">',
      ],
      close: ['</steptml:invoke><｜tool_call_end｜>'],
    },
    separator: '',
    arguments: {
      as: 'tagged',
      open: '<steptml:parameter name="{key}">',
      close: '</steptml:parameter>',
      layout: 'inline',
    },
  },
  teaching: lesson({
    how: 'To call tools, write <｜tool_calls_begin｜>, then for each <｜tool_call_begin｜>function<｜tool_sep｜> a <steptml:invoke name="NAME"> element with a <steptml:parameter name="KEY"> element per argument and <｜tool_call_end｜>, and at last <｜tool_calls_end｜>.',
    result: '<｜tool_output｜>{content}<｜tool_output_end｜>',
    resultSeparator: '\n',
  }),
}
