// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { jsonFence as data } from '../../dialects/json-fence.ts'
import { envelope } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `json-fence`: any model that likes Markdown; xLAM, Hammer. */
export const jsonFence: Dialect = /* @__PURE__ */ withForms(data, { envelope })
