// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { minicpm5 as data } from '../../dialects/minicpm5.ts'
import { literal, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `minicpm5`: MiniCPM5. */
export const minicpm5: Dialect = /* @__PURE__ */ withForms(data, { literal, tagged })
