// Made by `npm run library`.
import { openaiWrapper as data } from '../../dialects/openai-wrapper.ts'
import { withForms } from '../forms.ts'

/** The dialect `openai-wrapper`: any model under a JSON grammar; llama.cpp generic. */
export const openaiWrapper = /* @__PURE__ */ withForms(data, {})
