// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { xlam as data } from '../../dialects/xlam.ts'
import { envelope, list, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `xlam`: xLAM 2. */
export const xlam: Dialect = /* @__PURE__ */ withForms(data, { envelope, list, section })
