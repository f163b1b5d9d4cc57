// Made by `npm run library`.
import { deepseekDsmlV4 as data } from '../../dialects/deepseek-dsml-v4.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { literal, section, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `deepseek-dsml-v4`: DeepSeek V4. */
export const deepseekDsmlV4: Dialect = /* @__PURE__ */ withForms(data, { literal, section, tagged })
