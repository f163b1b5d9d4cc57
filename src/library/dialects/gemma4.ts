// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { gemma4 as data } from '../../dialects/gemma4.ts'
import { literal, pseudo } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `gemma4`: Gemma 4. */
export const gemma4: Dialect = /* @__PURE__ */ withForms(data, { literal, pseudo })
