// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { yamlXml as data } from '../../dialects/yaml-xml.ts'
import { readYamlBody } from '../../engine/forms/yaml-body.ts'
import { withForms } from '../forms.ts'

/** The dialect `yaml-xml`: any model. */
export const yamlXml: Dialect = /* @__PURE__ */ withForms(data, { yaml: readYamlBody })
