// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { olmo3 as data } from '../../dialects/olmo3.ts'
import { keywords, literal, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `olmo3`: OLMo 3. */
export const olmo3: Dialect = /* @__PURE__ */ withForms(data, { keywords, literal, section })
