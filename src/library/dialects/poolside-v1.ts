// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { poolsideV1 as data } from '../../dialects/poolside-v1.ts'
import { literal, name, names, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `poolside-v1`: Laguna XS and S. */
export const poolsideV1: Dialect = /* @__PURE__ */ withForms(data, { literal, name, names, tagged })
