// Made by `npm run library`.
import { inkling as data } from '../../dialects/inkling.ts'
import { withForms } from '../forms.ts'

/** The dialect `inkling`: Inkling. */
export const inkling = /* @__PURE__ */ withForms(data, {})
