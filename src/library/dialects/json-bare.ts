// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { jsonBare as data } from '../../dialects/json-bare.ts'
import { envelope, list } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `json-bare`: any model; guided decoding. */
export const jsonBare: Dialect = /* @__PURE__ */ withForms(data, { envelope, list })
