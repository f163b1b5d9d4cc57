// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { glm47 as data } from '../../dialects/glm-4.7.ts'
import { literal, name, names, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `glm-4.7`: GLM-4.7, GLM-5, Ling 3 and Ring 3. */
export const glm47: Dialect = /* @__PURE__ */ withForms(data, { literal, name, names, tagged })
