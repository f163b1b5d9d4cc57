// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { kimiK3 as data } from '../../dialects/kimi-k3.ts'
import { literal, section, tagged } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `kimi-k3`: Kimi K3. */
export const kimiK3: Dialect = /* @__PURE__ */ withForms(data, { literal, section, tagged })
