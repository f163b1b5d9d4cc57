// Made by `npm run library`.
import { commandRPlus as data } from '../../dialects/command-r-plus.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { envelope, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `command-r-plus`: Command R and R+ of 2024. */
export const commandRPlus: Dialect = /* @__PURE__ */ withForms(data, { envelope, section })
