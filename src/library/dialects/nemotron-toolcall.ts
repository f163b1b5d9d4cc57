// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { nemotronToolcall as data } from '../../dialects/nemotron-toolcall.ts'
import { envelope, section } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `nemotron-toolcall`: Llama-Nemotron, Nemotron Nano v2. */
export const nemotronToolcall: Dialect = /* @__PURE__ */ withForms(data, { envelope, section })
