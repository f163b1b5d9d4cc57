// Made by `npm run library`.
import { olmo3 as data } from '../../dialects/olmo3.ts'
import { readKeywords } from '../../engine/forms/pythonic.ts'
import { withForms } from '../forms.ts'

/** The dialect `olmo3`: OLMo 3. */
export const olmo3 = /* @__PURE__ */ withForms(data, { keywords: readKeywords })
