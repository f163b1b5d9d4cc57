// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { functionaryV32 as data } from '../../dialects/functionary-v3.2.ts'
import { json, messages } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `functionary-v3.2`: Functionary 3.2. */
export const functionaryV32: Dialect = /* @__PURE__ */ withForms(data, { json, messages })
