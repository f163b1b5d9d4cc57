import { GatewayError } from '../errors.ts'
import { sendJson } from './send.ts'
import type { Visit } from './visit.ts'

/** The process is there: depends on nothing, so that nothing else's trouble gets it restarted. */
export function respondLive(visit: Visit): void {
  sendJson(visit, 200, '{"status":"live"}')
}

/** New requests are welcome. */
export function respondReady(visit: Visit, isReady: () => boolean): void {
  if (!isReady()) throw new GatewayError('draining', 'This gateway is not taking new requests.')
  sendJson(visit, 200, '{"status":"ready"}')
}
