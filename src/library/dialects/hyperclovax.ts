// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { hyperclovax as data } from '../../dialects/hyperclovax.ts'
import { envelope, json, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `hyperclovax`: HyperCLOVA X SEED Think 14B. */
export const hyperclovax: Dialect = /* @__PURE__ */ withForms(data, { envelope, json, section })
