// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { harmony as data } from '../../dialects/harmony.ts'
import { json, messages } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `harmony`: gpt-oss. */
export const harmony: Dialect = /* @__PURE__ */ withForms(data, { json, messages })
