// Made by `npm run library`.
import { apertus as data } from '../../dialects/apertus.ts'
import { withForms } from '../forms.ts'

/** The dialect `apertus`: Apertus. */
export const apertus = /* @__PURE__ */ withForms(data, {})
