// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { rooXml as data } from '../../dialects/roo-xml.ts'
import { literal, name, names, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `roo-xml`: any model; the style of Roo Code and Cline. */
export const rooXml: Dialect = /* @__PURE__ */ withForms(data, { literal, name, names, tagged })
