// Made by `npm run library`.
import { cohereCofl as data } from '../../dialects/cohere-cofl.ts'
import { readTaggedForm } from '../../engine/forms/tagged-form.ts'
import { withForms } from '../forms.ts'

/** The dialect `cohere-cofl`: newer Cohere models. */
export const cohereCofl = /* @__PURE__ */ withForms(data, { tagged: readTaggedForm })
