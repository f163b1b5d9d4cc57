import type { Dialect, Grammar } from './dialect.ts'
import { functionLines, lesson } from './teaching.ts'

/** The token's bars as they are, and what becomes of them on the way. */
const [bar, ...otherBars] = ['｜', '|', '｜｜', '||', '‖', ' | '] as const

/** Tags of this name, with bars of every kind. */
const spell = (tag: (dsml: string) => string): readonly string[] =>
  [bar, ...otherBars].map((one) => tag(`${one}DSML${one}`))

export function dsml(section: string): Grammar {
  return {
    section: { open: spell((token) => `<${token}${section}>\n`), close: spell((token) => `\n</${token}${section}>`) },
    call: { open: spell((token) => `<${token}invoke name="{name}">\n`), close: spell((token) => `</${token}invoke>`) },
    separator: '\n',
    arguments: {
      as: 'tagged',
      ...parameter(bar),
      also: otherBars.map(parameter),
      layout: 'inline',
    },
  }
}

function parameter(one: string): { readonly open: string; readonly close: string } {
  const tag = `${one}DSML${one}parameter`
  return { open: `<${tag} name="{key}" string="{string}">`, close: `</${tag}>` }
}

/**
 * <｜DSML｜function_calls>
 * <｜DSML｜invoke name="set_lamp">
 * <｜DSML｜parameter name="room" string="true">den</｜DSML｜parameter>
 * </｜DSML｜invoke>
 * </｜DSML｜function_calls>
 */
export const deepseekDsmlV32: Dialect = {
  name: 'deepseek-dsml-v3.2',
  models: 'DeepSeek V3.2',
  speaks: /deepseek-?v3\.2(?!-exp)/i,
  grammar: dsml('function_calls'),
  dropped: ['<｜end▁of▁sentence｜>'],
  teaching: lesson({
    tools: functionLines,
    how: 'To call tools, write a <｜DSML｜function_calls> block with a <｜DSML｜invoke> element per call and a <｜DSML｜parameter> element per argument; string="true" marks plain text, string="false" JSON.',
    result: '<result>{content}</result>',
    resultSeparator: '\n',
  }),
}
