// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { kimiK2 as data } from '../../dialects/kimi-k2.ts'
import { json, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `kimi-k2`: Kimi K2, K2-Thinking, K2.5. */
export const kimiK2: Dialect = /* @__PURE__ */ withForms(data, { json, section })
