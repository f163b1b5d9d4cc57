// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { hunyuanA13b as data } from '../../dialects/hunyuan-a13b.ts'
import { envelope, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `hunyuan-a13b`: Hunyuan-A13B. */
export const hunyuanA13b: Dialect = /* @__PURE__ */ withForms(data, { envelope, section })
