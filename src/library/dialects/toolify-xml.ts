// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { toolifyXml as data } from '../../dialects/toolify-xml.ts'
import { json, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `toolify-xml`: any model; the style of Toolify. */
export const toolifyXml: Dialect = /* @__PURE__ */ withForms(data, { json, section })
