import { type Dialect, type Grammar, hasNameMarks } from '../dialects/dialect.ts'
import { type Forms, formOf } from '../engine/context.ts'
import { tokensAfterOpener } from '../engine/marks/template.ts'

/** A dialect together with the parts of the reader that its calls need. */
interface PickedDialect extends Dialect {
  readonly forms?: Forms
}

export function withForms(dialect: Dialect, forms: Forms): Dialect {
  const picked: PickedDialect = { ...dialect, forms }
  return picked
}

/** The parts that came along with these dialects. Throws where one came without. */
export function formsFor(dialects: readonly Dialect[]): Forms {
  return Object.assign({}, ...dialects.map(broughtBy))
}

function broughtBy(dialect: PickedDialect): Forms {
  if (dialect.forms !== undefined) return dialect.forms
  const remedy = `Import it from 'dragoman/dialects/${dialect.name}'; pass one of your own through defineDialect.`
  throw new TypeError(`The dialect '${dialect.name}' came without the code that reads it. ${remedy}`)
}

/**
 * A dialect of your own, for `dragoman/core`: read with the code that came along with `like`, a dialect whose calls are
 * written the same way. Throws a TypeError if that code is not enough.
 */
export function defineDialect(dialect: Dialect, like: Dialect): Dialect {
  const forms = broughtBy(like)
  const missing = formsOf(dialect).filter((form) => forms[form] === undefined)
  if (missing.length === 0) return withForms(dialect, forms)
  const remedy = "Name one that is written as yours is, or use 'dragoman/engine', which reads everything."
  throw new TypeError(`'${like.name}' is written another way than '${dialect.name}' (${missing.join(', ')}). ${remedy}`)
}

/** The parts that reading a dialect needs. */
export function formsOf({ grammar, variants = [] }: Pick<Dialect, 'grammar' | 'variants'>): readonly (keyof Forms)[] {
  return [...new Set([grammar, ...variants].flatMap(formsIn))]
}

function formsIn(grammar: Grammar): readonly (keyof Forms)[] {
  const { section, call, marks, frame } = grammar
  const form = formOf(grammar)
  const isJson = form === 'envelope' || form === 'json'
  const isSplit = call.open.some((open) => tokensAfterOpener(open).length > 0)
  const needs: readonly (readonly [part: keyof Forms, isNeeded: boolean])[] = [
    [form, true],
    ['literal', !isJson],
    ['slots', form === 'envelope' && isSplit],
    ['names', hasNameMarks(grammar)],
    ['name', hasNameMarks(grammar) && form === 'tagged'],
    ['section', section !== undefined],
    ['list', marks === 'none'],
    ['messages', frame !== undefined],
  ]
  return needs.flatMap(([part, isNeeded]) => (isNeeded ? [part] : []))
}
