// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { inkling as data } from '../../dialects/inkling.ts'
import { envelope, messages, slots } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `inkling`: Inkling. */
export const inkling: Dialect = /* @__PURE__ */ withForms(data, { envelope, messages, slots })
