// Made by `npm run library`.
import { deepseekDsmlV32 as data } from '../../dialects/deepseek-dsml-v3.2.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { literal, section, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `deepseek-dsml-v3.2`: DeepSeek V3.2. */
export const deepseekDsmlV32: Dialect = /* @__PURE__ */ withForms(data, { literal, section, tagged })
