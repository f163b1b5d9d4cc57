// Made by `npm run library`.
import { longcat as data } from '../../dialects/longcat.ts'
import { withForms } from '../forms.ts'

/** The dialect `longcat`: LongCat-Flash. */
export const longcat = /* @__PURE__ */ withForms(data, {})
