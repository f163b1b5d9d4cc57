// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { dots as data } from '../../dialects/dots.ts'
import { readTaggedForm } from '../../engine/forms/tagged-form.ts'
import { withForms } from '../forms.ts'

/** The dialect `dots`: dots. */
export const dots: Dialect = /* @__PURE__ */ withForms(data, { tagged: readTaggedForm })
