// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { seedOss as data } from '../../dialects/seed-oss.ts'
import { literal, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `seed-oss`: Seed-OSS. */
export const seedOss: Dialect = /* @__PURE__ */ withForms(data, { literal, tagged })
