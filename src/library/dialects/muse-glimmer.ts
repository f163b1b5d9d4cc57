// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { museGlimmer as data } from '../../dialects/muse-glimmer.ts'
import { readTaggedForm } from '../../engine/forms/tagged-form.ts'
import { withForms } from '../forms.ts'

/** The dialect `muse-glimmer`: Muse Glimmer. */
export const museGlimmer: Dialect = /* @__PURE__ */ withForms(data, { tagged: readTaggedForm })
