// Made by `npm run library`.
import { hyV3 as data } from '../../dialects/hy-v3.ts'
import { readTaggedForm } from '../../engine/forms/tagged-form.ts'
import { withForms } from '../forms.ts'

/** The dialect `hy-v3`: Tencent Hy3. */
export const hyV3 = /* @__PURE__ */ withForms(data, { tagged: readTaggedForm })
