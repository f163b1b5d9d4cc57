// Made by `npm run library`.
import { hermes as data } from '../../dialects/hermes.ts'
import { withForms } from '../forms.ts'

/** The dialect `hermes`: Hermes 2/3, Qwen2.5, Qwen3, QwQ, Granite 4, SmolLM3. */
export const hermes = /* @__PURE__ */ withForms(data, {})
