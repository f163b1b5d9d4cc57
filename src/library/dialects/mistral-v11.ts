// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { mistralV11 as data } from '../../dialects/mistral-v11.ts'
import { json } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `mistral-v11`: Mistral Small 3.2, Devstral, Magistral, Ministral 3, Large 3. */
export const mistralV11: Dialect = /* @__PURE__ */ withForms(data, { json })
