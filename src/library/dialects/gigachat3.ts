// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { gigachat3 as data } from '../../dialects/gigachat3.ts'
import { envelope, slots } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `gigachat3`: GigaChat 3 and 3.1. */
export const gigachat3: Dialect = /* @__PURE__ */ withForms(data, { envelope, slots })
