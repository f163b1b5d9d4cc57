// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { ernie45 as data } from '../../dialects/ernie45.ts'
import { envelope } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `ernie45`: ERNIE 4.5 thinking. */
export const ernie45: Dialect = /* @__PURE__ */ withForms(data, { envelope })
