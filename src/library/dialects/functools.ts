// Made by `npm run library`.
import { functools as data } from '../../dialects/functools.ts'
import { withForms } from '../forms.ts'

/** The dialect `functools`: Phi-4-mini, FireFunction v2. */
export const functools = /* @__PURE__ */ withForms(data, {})
