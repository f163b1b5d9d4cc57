// Made by `npm run library`.
import { mistralV3 as data } from '../../dialects/mistral-v3.ts'
import { withForms } from '../forms.ts'

/** The dialect `mistral-v3`: Mistral 7B v0.3, Nemo, Mixtral, Small up to 3.1. */
export const mistralV3 = /* @__PURE__ */ withForms(data, {})
