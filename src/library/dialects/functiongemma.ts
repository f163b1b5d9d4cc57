// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { functiongemma as data } from '../../dialects/functiongemma.ts'
import { readPseudo } from '../../engine/forms/pseudo.ts'
import { withForms } from '../forms.ts'

/** The dialect `functiongemma`: FunctionGemma 270M. */
export const functiongemma: Dialect = /* @__PURE__ */ withForms(data, { pseudo: readPseudo })
