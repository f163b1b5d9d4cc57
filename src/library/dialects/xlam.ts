// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { xlam as data } from '../../dialects/xlam.ts'
import { withForms } from '../forms.ts'

/** The dialect `xlam`: xLAM 2. */
export const xlam: Dialect = /* @__PURE__ */ withForms(data, {})
