import type { Dialect, Grammar } from './dialect.ts'
import { functionLines, lesson } from './teaching.ts'

/** The token as it is, and what becomes of it on the way. */
const tokens = ['｜DSML｜', '|DSML|', '｜｜DSML｜｜', '||DSML||', '‖DSML‖', ' | DSML | ', '| DSML | ']

/** Calls in the section's tags, of which the first is printed. `gap` stands between the token and a tag's name. */
export function dsml(sections: readonly string[], gap = ''): Grammar {
  const beginnings = tokens.map((token) => (token.endsWith(' ') ? token : token + gap))
  /** Tags of this name, with tokens of every kind. */
  const spell = (tag: (token: string) => string): readonly string[] => beginnings.map(tag)
  const [own = '', ...others] = beginnings
  return {
    section: {
      open: sections.flatMap((section) => spell((token) => `<${token}${section}>\n`)),
      close: sections.flatMap((section) => spell((token) => `\n</${token}${section}>`)),
    },
    call: { open: spell((token) => `<${token}invoke name="{name}">\n`), close: spell((token) => `</${token}invoke>`) },
    separator: '\n',
    arguments: { as: 'tagged', ...parameter(own), also: others.map(parameter), layout: 'inline' },
  }
}

function parameter(token: string): { readonly open: string; readonly close: string } {
  return { open: `<${token}parameter name="{key}" string="{string}">`, close: `</${token}parameter>` }
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
  grammar: dsml(['function_calls']),
  dropped: ['<｜end▁of▁sentence｜>'],
  teaching: lesson({
    tools: functionLines,
    how: 'To call tools, write a <｜DSML｜function_calls> block with a <｜DSML｜invoke> element per call and a <｜DSML｜parameter> element per argument; string="true" marks plain text, string="false" JSON.',
    result: '<result>{content}</result>',
    resultSeparator: '\n',
  }),
}
