// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { seedOss as data } from '../../dialects/seed-oss.ts'
import { readTaggedForm } from '../../engine/forms/tagged-form.ts'
import { withForms } from '../forms.ts'

/** The dialect `seed-oss`: Seed-OSS. */
export const seedOss: Dialect = /* @__PURE__ */ withForms(data, { tagged: readTaggedForm })
