// Made by `npm run library`.
import { functiongemma as data } from '../../dialects/functiongemma.ts'
import { readPseudo } from '../../engine/forms/pseudo.ts'
import { withForms } from '../forms.ts'

/** The dialect `functiongemma`: FunctionGemma 270M. */
export const functiongemma = /* @__PURE__ */ withForms(data, { pseudo: readPseudo })
