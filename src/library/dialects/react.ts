// Made by `npm run library`.
import { react as data } from '../../dialects/react.ts'
import { withForms } from '../forms.ts'

/** The dialect `react`: any model; the ReAct style. */
export const react = /* @__PURE__ */ withForms(data, {})
