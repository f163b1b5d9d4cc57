// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { mimo as data } from '../../dialects/mimo.ts'
import { literal, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `mimo`: MiMo V2.6 and later. */
export const mimo: Dialect = /* @__PURE__ */ withForms(data, { literal, tagged })
