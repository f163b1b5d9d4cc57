// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { llama3Json as data } from '../../dialects/llama3-json.ts'
import { envelope, keywords, list, literal, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `llama3-json`: Llama 3.1, 3.2, 3.3. */
export const llama3Json: Dialect = /* @__PURE__ */ withForms(data, { envelope, keywords, list, literal, section })
