// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { xmlToolname as data } from '../../dialects/xml-toolname.ts'
import { literal, name, names, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `xml-toolname`: any model. */
export const xmlToolname: Dialect = /* @__PURE__ */ withForms(data, { literal, name, names, tagged })
