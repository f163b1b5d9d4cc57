// Made by `npm run library`.
import type { Dialect } from '../../dialects/dialect.ts'
import { qwenAgentFlower as data } from '../../dialects/qwen-agent-flower.ts'
import { json } from '../../engine/parts.ts'
import { withForms } from '../forms.ts'

/** The dialect `qwen-agent-flower`: Qwen-Agent of old. */
export const qwenAgentFlower: Dialect = /* @__PURE__ */ withForms(data, { json })
