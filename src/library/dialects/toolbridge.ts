// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { toolbridge as data } from '../../dialects/toolbridge.ts'
import { literal, section, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `toolbridge`: any model; the style of ToolBridge. */
export const toolbridge: Dialect = /* @__PURE__ */ withForms(data, { literal, section, tagged })
