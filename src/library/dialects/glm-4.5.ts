// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { glm45 as data } from '../../dialects/glm-4.5.ts'
import { literal, name, names, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `glm-4.5`: GLM-4.5, GLM-4.6, Ring 2.6, HyperCLOVA X SEED Think 32B. */
export const glm45: Dialect = /* @__PURE__ */ withForms(data, { literal, name, names, tagged })
