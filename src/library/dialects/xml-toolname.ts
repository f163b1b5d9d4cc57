// Made by `npm run library`.
import { xmlToolname as data } from '../../dialects/xml-toolname.ts'
import { readTaggedForm } from '../../engine/forms/tagged-form.ts'
import { withForms } from '../forms.ts'

/** The dialect `xml-toolname`: any model. */
export const xmlToolname = /* @__PURE__ */ withForms(data, { tagged: readTaggedForm })
