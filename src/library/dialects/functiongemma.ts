// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { functiongemma as data } from '../../dialects/functiongemma.ts'
import { literal, pseudo } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `functiongemma`: FunctionGemma 270M. */
export const functiongemma: Dialect = /* @__PURE__ */ withForms(data, { literal, pseudo })
