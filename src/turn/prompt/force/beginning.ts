import type { Arguments, Dialect } from '../../../dialects/dialect.ts'
import { printTemplate } from '../../../engine/marks/template.ts'

/** A call up to the first thing that is the model's to choose: its name, or with the name given, its arguments. */
export function beginningOf({ grammar }: Dialect, name: string | undefined): string {
  const { section, call, arguments: spec, marks, ids } = grammar
  const opener = call.open[0] ?? ''
  const around = section === undefined || marks === 'none' ? '' : (section.open[0] ?? '')
  const array = spec.as === 'envelope' ? listOf(spec) : ''
  // An id before the name is the model's to choose, too.
  const until = name === undefined || ids !== undefined ? /\{(?:name|id)\}/ : /\{id\}/
  const [known = '', ...chosen] = opener.split(until)
  const open = around + array + printTemplate(known, name === undefined ? {} : { name })
  // Services trim white space at the end of what they go on from, and models begin a line by themselves.
  return (chosen.length > 0 ? open : open + envelopeOf(spec, name)).trimEnd()
}

function listOf({ array, listKey }: Extract<Arguments, { as: 'envelope' }>): string {
  if (array !== true) return ''
  return listKey === undefined ? '[' : `{${JSON.stringify(listKey)}: [`
}

function envelopeOf(spec: Arguments, name: string | undefined): string {
  if (spec.as !== 'envelope') return ''
  if (spec.keyed === true) return name === undefined ? '{"' : `{${JSON.stringify(name)}:`
  const key = `{${JSON.stringify(spec.nameKey)}: `
  return name === undefined ? `${key}"` : `${key}${JSON.stringify(name)}, ${JSON.stringify(spec.argumentsKey)}:`
}
