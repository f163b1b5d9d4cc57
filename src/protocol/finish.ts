import { GatewayError } from '../errors.ts'
import type { FinishReason } from './event.ts'

/**
 * Why an answer ended, by what the model server said and what came of it: `tool_calls` exactly when there is a complete call
 * and nothing was lost. Some agents ask again for ever when it is said without a call, and a cut must never be hidden.
 * `isCut`: something of the answer is missing; without a call, every limit that was reached means that.
 */
export function finishReason(said: FinishReason, calls: number, isCut: boolean): FinishReason {
  if (said === 'length' && (isCut || calls === 0)) return 'length'
  if (calls > 0) return 'tool_calls'
  return said === 'content_filter' ? 'content_filter' : 'stop'
}

/** An answer whose events ended without a `finish`. */
export function unfinished(): GatewayError {
  return new GatewayError('upstream_truncated', 'The model stopped without a finish reason.')
}
