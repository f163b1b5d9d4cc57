// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { lfm2 as data } from '../../dialects/lfm2.ts'
import { keywords, literal, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `lfm2`: LFM2, LFM2.5. */
export const lfm2: Dialect = /* @__PURE__ */ withForms(data, { keywords, literal, section })
