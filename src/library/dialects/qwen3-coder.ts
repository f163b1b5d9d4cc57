// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { qwen3Coder as data } from '../../dialects/qwen3-coder.ts'
import { literal, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `qwen3-coder`: Qwen3-Coder, Qwen3.5 and later, Ornith, Nemotron 3, MiMo V2 to V2.5, Step 3.5 and later. */
export const qwen3Coder: Dialect = /* @__PURE__ */ withForms(data, { literal, tagged })
