// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { minimaxM3 as data } from '../../dialects/minimax-m3.ts'
import { literal, section, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `minimax-m3`: MiniMax M3. */
export const minimaxM3: Dialect = /* @__PURE__ */ withForms(data, { literal, section, tagged })
