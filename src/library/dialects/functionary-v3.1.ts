// Made by `npm run library`.
import { functionaryV31 as data } from '../../dialects/functionary-v3.1.ts'
import { withForms } from '../forms.ts'

/** The dialect `functionary-v3.1`: Functionary 3.1, Llama 3.1 custom tools. */
export const functionaryV31 = /* @__PURE__ */ withForms(data, {})
