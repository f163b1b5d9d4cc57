// Made by `npm run library`.
import { harmony as data } from '../../dialects/harmony.ts'
import { withForms } from '../forms.ts'

/** The dialect `harmony`: gpt-oss. */
export const harmony = /* @__PURE__ */ withForms(data, {})
