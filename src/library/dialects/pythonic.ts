// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { pythonic as data } from '../../dialects/pythonic.ts'
import { keywords, literal, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `pythonic`: Llama 3.2 1B and 3B, ToolACE, Gemma 3. */
export const pythonic: Dialect = /* @__PURE__ */ withForms(data, { keywords, literal, section })
