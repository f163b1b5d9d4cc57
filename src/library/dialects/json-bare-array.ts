// Made by `npm run library`.
import { jsonBareArray as data } from '../../dialects/json-bare-array.ts'
import { withForms } from '../forms.ts'

/** The dialect `json-bare-array`: any model; guided decoding. */
export const jsonBareArray = /* @__PURE__ */ withForms(data, {})
