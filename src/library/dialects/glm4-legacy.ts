// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { glm4Legacy as data } from '../../dialects/glm4-legacy.ts'
import { json, names } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `glm4-legacy`: GLM-4-9B, ChatGLM3. */
export const glm4Legacy: Dialect = /* @__PURE__ */ withForms(data, { json, names })
