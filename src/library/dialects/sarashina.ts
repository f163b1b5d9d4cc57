// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { sarashina as data } from '../../dialects/sarashina.ts'
import { envelope, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `sarashina`: Sarashina. */
export const sarashina: Dialect = /* @__PURE__ */ withForms(data, { envelope, section })
