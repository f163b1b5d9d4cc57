// Made by `npm run library`.
import { xlam as data } from '../../dialects/xlam.ts'
import { withForms } from '../forms.ts'

/** The dialect `xlam`: xLAM 2. */
export const xlam = /* @__PURE__ */ withForms(data, {})
