// Made by `npm run library`.
import { minimaxM3 as data } from '../../dialects/minimax-m3.ts'
import { readTaggedForm } from '../../engine/forms/tagged-form.ts'
import { withForms } from '../forms.ts'

/** The dialect `minimax-m3`: MiniMax M3. */
export const minimaxM3 = /* @__PURE__ */ withForms(data, { tagged: readTaggedForm })
