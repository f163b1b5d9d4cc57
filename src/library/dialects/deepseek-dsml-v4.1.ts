// Made by `npm run library`.
import { deepseekDsmlV41 as data } from '../../dialects/deepseek-dsml-v4.1.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { literal, section, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `deepseek-dsml-v4.1`: DeepSeek V4.1 and later. */
export const deepseekDsmlV41: Dialect = /* @__PURE__ */ withForms(data, { literal, section, tagged })
