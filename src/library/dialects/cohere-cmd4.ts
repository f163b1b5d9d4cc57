// Made by `npm run library`.
import { cohereCmd4 as data } from '../../dialects/cohere-cmd4.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { envelope, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `cohere-cmd4`: Command A 2026, North. */
export const cohereCmd4: Dialect = /* @__PURE__ */ withForms(data, { envelope, section })
