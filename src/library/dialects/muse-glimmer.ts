// Made by `npm run library`.
import { museGlimmer as data } from '../../dialects/muse-glimmer.ts'
import { readTaggedForm } from '../../engine/forms/tagged-form.ts'
import { withForms } from '../forms.ts'

/** The dialect `muse-glimmer`: Muse Glimmer. */
export const museGlimmer = /* @__PURE__ */ withForms(data, { tagged: readTaggedForm })
