// Made by `npm run library`.
import { minimaxM1 as data } from '../../dialects/minimax-m1.ts'
import { withForms } from '../forms.ts'

/** The dialect `minimax-m1`: MiniMax-M1. */
export const minimaxM1 = /* @__PURE__ */ withForms(data, {})
