// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { dots as data } from '../../dialects/dots.ts'
import { literal, section, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `dots`: dots. */
export const dots: Dialect = /* @__PURE__ */ withForms(data, { literal, section, tagged })
