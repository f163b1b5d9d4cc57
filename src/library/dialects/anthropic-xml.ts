// Made by `npm run library`.
import { anthropicXml as data } from '../../dialects/anthropic-xml.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { literal, section, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `anthropic-xml`: Claude when prompted, and many models that imitate it. */
export const anthropicXml: Dialect = /* @__PURE__ */ withForms(data, { literal, section, tagged })
