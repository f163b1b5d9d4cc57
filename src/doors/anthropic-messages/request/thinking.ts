import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { Reasoning } from '../../../protocol/request.ts'

interface Thinking {
  readonly reasoning: Reasoning
  /** The client wants to see the thoughts. */
  readonly isShown: boolean
}

/** The highest that services know. */
const most = 'high'
const efforts: Readonly<Record<string, string>> = { minimal: 'low', low: 'low', medium: 'medium', high: most }

/** How much the model is to think: in this protocol not at all, unless it is asked for. */
export function readThinking(fields: JsonObject): Thinking {
  const { thinking, output_config: config } = fields
  const type = isJsonObject(thinking) ? thinking['type'] : undefined
  if (!isJsonObject(thinking) || type === undefined || type === 'disabled')
    return { reasoning: { enabled: false }, isShown: false }
  const budget = typeof thinking['budget_tokens'] === 'number' ? thinking['budget_tokens'] : undefined
  const wanted = isJsonObject(config) && typeof config['effort'] === 'string' ? config['effort'] : undefined
  const effort = wanted === undefined ? effortOf(budget) : (efforts[wanted] ?? most)
  return {
    reasoning: {
      enabled: true,
      ...(effort !== undefined && { effort }),
      ...(budget !== undefined && { budget }),
    },
    isShown: thinking['display'] !== 'omitted',
  }
}

function effortOf(budget: number | undefined): string | undefined {
  if (budget === undefined) return undefined
  if (budget < 4_000) return 'low'
  return budget < 16_000 ? 'medium' : most
}
