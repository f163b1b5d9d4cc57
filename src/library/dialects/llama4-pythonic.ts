// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { llama4Pythonic as data } from '../../dialects/llama4-pythonic.ts'
import { keywords, literal, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `llama4-pythonic`: Llama 4. */
export const llama4Pythonic: Dialect = /* @__PURE__ */ withForms(data, { keywords, literal, section })
