// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { minimaxM1 as data } from '../../dialects/minimax-m1.ts'
import { envelope, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `minimax-m1`: MiniMax-M1. */
export const minimaxM1: Dialect = /* @__PURE__ */ withForms(data, { envelope, section })
