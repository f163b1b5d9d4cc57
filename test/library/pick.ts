import type { Dialect } from '../../src/dialects/dialect.ts'
import type { Forms } from '../../src/engine/context.ts'
import * as parts from '../../src/engine/parts.ts'
import { formsOf, withForms } from '../../src/library/forms.ts'

/** A dialect as `dragoman/dialects/…` brings it: with the parts of the reader that it needs, and no others. */
export function pick(dialect: Dialect): Dialect {
  const forms: Forms = parts
  return withForms(dialect, Object.fromEntries(formsOf(dialect).map((form) => [form, forms[form]])))
}
