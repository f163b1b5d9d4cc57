// Made by `npm run library`.
import { jamba as data } from '../../dialects/jamba.ts'
import { withForms } from '../forms.ts'

/** The dialect `jamba`: Jamba 1.5 and later. */
export const jamba = /* @__PURE__ */ withForms(data, {})
