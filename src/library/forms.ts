import { type Dialect, type Grammar, hasNameMarks } from '../dialects/dialect.ts'
import { type Forms, formOf } from '../engine/context.ts'
import { tokensAfterOpener } from '../engine/marks/template.ts'

/** What came along with a dialect that was picked by itself. */
const picked = new WeakMap<Dialect, Forms>()

/** A dialect together with the parts of the reader that its calls need. */
export function withForms(dialect: Dialect, forms: Forms): Dialect {
  picked.set(dialect, forms)
  return dialect
}

/** The parts that came along with these dialects. Throws where one lacks what it is written in. */
export function formsFor(dialects: readonly Dialect[]): Forms {
  const forms: Forms = Object.assign({}, ...dialects.map((dialect) => picked.get(dialect)))
  for (const dialect of dialects) {
    if (formsOf(dialect).every((form) => forms[form] !== undefined)) continue
    const remedy = `Import it from 'dragoman/dialects/${dialect.name}', or use 'dragoman/engine', which reads every form.`
    throw new TypeError(`The dialect '${dialect.name}' is written in a form that was not brought along. ${remedy}`)
  }
  return forms
}

/** The parts that reading a dialect needs. */
export function formsOf({ grammar, variants = [] }: Pick<Dialect, 'grammar' | 'variants'>): readonly (keyof Forms)[] {
  return [...new Set([grammar, ...variants].flatMap(formsIn))]
}

function formsIn(grammar: Grammar): readonly (keyof Forms)[] {
  const { section, call, marks, loose = [], frame } = grammar
  const form = formOf(grammar)
  const isJson = form === 'envelope' || form === 'json'
  const isSplit = [...call.open, ...loose].some((open) => tokensAfterOpener(open).length > 0)
  const needs: readonly (readonly [part: keyof Forms, isNeeded: boolean])[] = [
    [form, true],
    ['literal', !isJson],
    ['slots', form === 'envelope' && isSplit],
    ['names', hasNameMarks(grammar)],
    ['name', hasNameMarks(grammar) && form === 'tagged'],
    ['section', section !== undefined],
    ['list', marks === 'none' || loose.some((open) => open.length === 1)],
    ['messages', frame !== undefined],
  ]
  return needs.flatMap(([part, isNeeded]) => (isNeeded ? [part] : []))
}
