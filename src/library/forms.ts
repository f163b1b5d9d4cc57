import type { Dialect, Grammar } from '../dialects/dialect.ts'
import type { Forms } from '../engine/context.ts'

/** What came along with a dialect that was picked by itself. */
const picked = new WeakMap<Dialect, Forms>()

/** A dialect together with the forms its arguments are written in. */
export function withForms(dialect: Dialect, forms: Forms): Dialect {
  picked.set(dialect, forms)
  return dialect
}

/** The forms that came along with these dialects. Throws where one lacks what it is written in. */
export function formsFor(dialects: readonly Dialect[]): Forms {
  const forms: Forms = Object.assign({}, ...dialects.map((dialect) => picked.get(dialect) ?? {}))
  for (const dialect of dialects) {
    for (const form of formsOf(dialect)) {
      if (forms[form] !== undefined) continue
      const remedy = `Import it from 'dragoman/dialects/${dialect.name}', or use 'dragoman/engine', which reads every form.`
      throw new TypeError(`The dialect '${dialect.name}' is written in a form that was not brought along. ${remedy}`)
    }
  }
  return forms
}

/** The forms a dialect is written in, JSON aside. */
export function formsOf({ grammar, variants = [] }: Pick<Dialect, 'grammar' | 'variants'>): readonly (keyof Forms)[] {
  return [...new Set([grammar, ...variants].flatMap(formsIn))]
}

function formsIn({ arguments: spec }: Grammar): readonly (keyof Forms)[] {
  switch (spec.as) {
    case 'envelope':
      return []
    case 'json':
      return spec.xml === true ? ['children'] : []
    default:
      return [spec.as]
  }
}
