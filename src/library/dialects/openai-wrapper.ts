// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { openaiWrapper as data } from '../../dialects/openai-wrapper.ts'
import { envelope, list } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `openai-wrapper`: any model under a JSON grammar; llama.cpp generic. */
export const openaiWrapper: Dialect = /* @__PURE__ */ withForms(data, { envelope, list })
