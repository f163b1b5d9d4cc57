// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { toolbridge as data } from '../../dialects/toolbridge.ts'
import { readTaggedForm } from '../../engine/forms/tagged-form.ts'
import { withForms } from '../forms.ts'

/** The dialect `toolbridge`: any model; the style of ToolBridge. */
export const toolbridge: Dialect = /* @__PURE__ */ withForms(data, { tagged: readTaggedForm })
