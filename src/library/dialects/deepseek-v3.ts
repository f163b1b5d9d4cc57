// Made by `npm run library`.
import { deepseekV3 as data } from '../../dialects/deepseek-v3.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { json, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `deepseek-v3`: DeepSeek V3-0324, R1 and its distills. */
export const deepseekV3: Dialect = /* @__PURE__ */ withForms(data, { json, section })
