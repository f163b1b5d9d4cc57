// Made by `npm run library`.
import { apriel as data } from '../../dialects/apriel.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { envelope, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `apriel`: Apriel 1.5 and 1.6. */
export const apriel: Dialect = /* @__PURE__ */ withForms(data, { envelope, section })
