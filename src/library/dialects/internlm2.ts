// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { internlm2 as data } from '../../dialects/internlm2.ts'
import { envelope, slots } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `internlm2`: InternLM 2 and 3, Intern-S1. */
export const internlm2: Dialect = /* @__PURE__ */ withForms(data, { envelope, slots })
