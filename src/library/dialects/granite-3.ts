// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { granite3 as data } from '../../dialects/granite-3.ts'
import { envelope, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `granite-3`: Granite 3.0 to 3.3. */
export const granite3: Dialect = /* @__PURE__ */ withForms(data, { envelope, section })
