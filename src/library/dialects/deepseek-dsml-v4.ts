// Made by `npm run library`.
import { deepseekDsmlV4 as data } from '../../dialects/deepseek-dsml-v4.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { readTaggedForm } from '../../engine/forms/tagged-form.ts'
import { withForms } from '../forms.ts'

/** The dialect `deepseek-dsml-v4`: DeepSeek V4. */
export const deepseekDsmlV4: Dialect = /* @__PURE__ */ withForms(data, { tagged: readTaggedForm })
