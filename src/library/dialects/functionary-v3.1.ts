// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { functionaryV31 as data } from '../../dialects/functionary-v3.1.ts'
import { json } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `functionary-v3.1`: Functionary 3.1, Llama 3.1 custom tools. */
export const functionaryV31: Dialect = /* @__PURE__ */ withForms(data, { json })
