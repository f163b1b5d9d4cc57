// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { react as data } from '../../dialects/react.ts'
import { json } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `react`: any model; the ReAct style. */
export const react: Dialect = /* @__PURE__ */ withForms(data, { json })
