// Made by `npm run library`.
import { deepseekV31 as data } from '../../dialects/deepseek-v3.1.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { json, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `deepseek-v3.1`: DeepSeek V3.1, V3.2-Exp. */
export const deepseekV31: Dialect = /* @__PURE__ */ withForms(data, { json, section })
