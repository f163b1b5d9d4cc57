// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { jsonBareArray as data } from '../../dialects/json-bare-array.ts'
import { envelope, list } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `json-bare-array`: any model; guided decoding. */
export const jsonBareArray: Dialect = /* @__PURE__ */ withForms(data, { envelope, list })
