// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { hyV3 as data } from '../../dialects/hy-v3.ts'
import { literal, section, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `hy-v3`: Tencent Hy3. */
export const hyV3: Dialect = /* @__PURE__ */ withForms(data, { literal, section, tagged })
