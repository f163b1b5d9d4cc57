// Made by `npm run library`.
import { jsonBare as data } from '../../dialects/json-bare.ts'
import { withForms } from '../forms.ts'

/** The dialect `json-bare`: any model; guided decoding. */
export const jsonBare = /* @__PURE__ */ withForms(data, {})
