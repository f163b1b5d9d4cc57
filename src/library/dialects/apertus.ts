// Made by `npm run library`.
import { apertus as data } from '../../dialects/apertus.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { envelope, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `apertus`: Apertus. */
export const apertus: Dialect = /* @__PURE__ */ withForms(data, { envelope, section })
