// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { museGlimmer as data } from '../../dialects/muse-glimmer.ts'
import { literal, messages, section, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `muse-glimmer`: Muse Glimmer. */
export const museGlimmer: Dialect = /* @__PURE__ */ withForms(data, { literal, messages, section, tagged })
