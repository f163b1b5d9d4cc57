// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { xmlNameArgs as data } from '../../dialects/xml-name-args.ts'
import { literal, xml } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `xml-name-args`: any model; the style of the Poe bridge. */
export const xmlNameArgs: Dialect = /* @__PURE__ */ withForms(data, { literal, xml })
