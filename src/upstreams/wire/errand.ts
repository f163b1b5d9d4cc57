import { GatewayError } from '../../errors.ts'
import { type Exchange, type ExchangeHead, type ExchangeRequest, headOf, type Pool, readText } from './exchange.ts'
import { toFailure } from './failures.ts'

const MAX_BODY_BYTES = 256 * 1024

interface Errand {
  readonly upstream: string
  readonly pool: Pool
  readonly request: ExchangeRequest
  readonly withinMs: number
  readonly maxBytes?: number
}

/** One small request and its whole answer, whatever its status. */
export async function run(
  errand: Errand,
  signal: AbortSignal,
): Promise<{ readonly head: ExchangeHead; readonly text: string }> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(errand.withinMs)])
  const exchange = errand.pool.open(errand.request, limit)
  try {
    const head = await headOf(exchange)
    return { head, text: await bodyOf(exchange, errand.maxBytes) }
  } catch (thrown) {
    if (signal.aborted) throw signal.reason
    if (limit.aborted) {
      throw new GatewayError('upstream_timeout', `${errand.upstream}: no answer within ${errand.withinMs} ms.`)
    }
    throw toFailure(thrown, errand.upstream, false)
  } finally {
    exchange.release()
  }
}

/** All of a body, up to a limit. */
export async function bodyOf(exchange: Exchange, maxBytes = MAX_BODY_BYTES): Promise<string> {
  return (await readText(exchange, maxBytes)).text
}
