// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { minimaxM2 as data } from '../../dialects/minimax-m2.ts'
import { literal, section, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `minimax-m2`: MiniMax M2, M2.1, M2.5. */
export const minimaxM2: Dialect = /* @__PURE__ */ withForms(data, { literal, section, tagged })
