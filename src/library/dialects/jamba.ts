// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { jamba as data } from '../../dialects/jamba.ts'
import { envelope, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `jamba`: Jamba 1.5 and later. */
export const jamba: Dialect = /* @__PURE__ */ withForms(data, { envelope, section })
