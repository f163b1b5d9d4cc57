// Made by `npm run library`.
import { nemotronToolcall as data } from '../../dialects/nemotron-toolcall.ts'
import { withForms } from '../forms.ts'

/** The dialect `nemotron-toolcall`: Llama-Nemotron, Nemotron Nano v2. */
export const nemotronToolcall = /* @__PURE__ */ withForms(data, {})
