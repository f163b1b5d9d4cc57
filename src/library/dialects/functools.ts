// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { functools as data } from '../../dialects/functools.ts'
import { envelope, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `functools`: Phi-4-mini, FireFunction v2. */
export const functools: Dialect = /* @__PURE__ */ withForms(data, { envelope, section })
