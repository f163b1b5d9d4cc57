// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { step3 as data } from '../../dialects/step3.ts'
import { literal, section, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `step3`: Step-3. */
export const step3: Dialect = /* @__PURE__ */ withForms(data, { literal, section, tagged })
