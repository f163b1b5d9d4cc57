// Made by `npm run library`.
import { solarOpen as data } from '../../dialects/solar-open.ts'
import { withForms } from '../forms.ts'

/** The dialect `solar-open`: Solar Open 100B. */
export const solarOpen = /* @__PURE__ */ withForms(data, {})
