// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { mistralV3 as data } from '../../dialects/mistral-v3.ts'
import { envelope, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `mistral-v3`: Mistral 7B v0.3, Nemo, Mixtral, Small up to 3.1. */
export const mistralV3: Dialect = /* @__PURE__ */ withForms(data, { envelope, section })
