// Made by `npm run library`.
import { cohereCmd3 as data } from '../../dialects/cohere-cmd3.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { envelope, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `cohere-cmd3`: Command R7B, Command A. */
export const cohereCmd3: Dialect = /* @__PURE__ */ withForms(data, { envelope, section })
