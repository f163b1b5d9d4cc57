// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { hermes as data } from '../../dialects/hermes.ts'
import { envelope } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `hermes`: Hermes 2 to 4, Qwen2.5, Qwen3, QwQ, MiMo-VL, EXAONE, Granite 4, SmolLM3. */
export const hermes: Dialect = /* @__PURE__ */ withForms(data, { envelope })
