// Made by `npm run library`.
import { glm4Legacy as data } from '../../dialects/glm4-legacy.ts'
import { withForms } from '../forms.ts'

/** The dialect `glm4-legacy`: GLM-4-9B, ChatGLM3. */
export const glm4Legacy = /* @__PURE__ */ withForms(data, {})
