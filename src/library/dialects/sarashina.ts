// Made by `npm run library`.
import { sarashina as data } from '../../dialects/sarashina.ts'
import { withForms } from '../forms.ts'

/** The dialect `sarashina`: Sarashina. */
export const sarashina = /* @__PURE__ */ withForms(data, {})
