// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { solarOpen as data } from '../../dialects/solar-open.ts'
import { json, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `solar-open`: Solar Open 100B. */
export const solarOpen: Dialect = /* @__PURE__ */ withForms(data, { json, section })
