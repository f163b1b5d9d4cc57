// Made by `npm run library`.
import { cohereCofl as data } from '../../dialects/cohere-cofl.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { literal, section, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `cohere-cofl`: newer Cohere models. */
export const cohereCofl: Dialect = /* @__PURE__ */ withForms(data, { literal, section, tagged })
