// Made by `npm run library`.
import { commandRPlus as data } from '../../dialects/command-r-plus.ts'
import { withForms } from '../forms.ts'

/** The dialect `command-r-plus`: Command R and R+ of 2024. */
export const commandRPlus = /* @__PURE__ */ withForms(data, {})
