// Made by `npm run library`.
import { toolbridge as data } from '../../dialects/toolbridge.ts'
import { readTaggedForm } from '../../engine/forms/tagged-form.ts'
import { withForms } from '../forms.ts'

/** The dialect `toolbridge`: any model; the style of ToolBridge. */
export const toolbridge = /* @__PURE__ */ withForms(data, { tagged: readTaggedForm })
