// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { granite20bFc as data } from '../../dialects/granite-20b-fc.ts'
import { envelope } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `granite-20b-fc`: granite-20b-functioncalling. */
export const granite20bFc: Dialect = /* @__PURE__ */ withForms(data, { envelope })
