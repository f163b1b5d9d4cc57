// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { longcat as data } from '../../dialects/longcat.ts'
import { envelope } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `longcat`: LongCat-Flash. */
export const longcat: Dialect = /* @__PURE__ */ withForms(data, { envelope })
