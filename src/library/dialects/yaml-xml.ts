// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { yamlXml as data } from '../../dialects/yaml-xml.ts'
import { literal, names, yaml } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `yaml-xml`: any model. */
export const yamlXml: Dialect = /* @__PURE__ */ withForms(data, { literal, names, yaml })
