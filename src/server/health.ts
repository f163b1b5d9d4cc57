import { GatewayError } from '../errors.ts'
import { send } from './send.ts'
import type { Visit } from './visit.ts'

/** The process is there: depends on nothing, so that nothing else's trouble gets it restarted. */
export function respondLive(visit: Visit): void {
  send(visit, { status: 200, body: '{"status":"live"}' })
}

/** New requests are welcome. */
export function respondReady(visit: Visit, isReady: () => boolean): void {
  if (!isReady()) throw new GatewayError('draining', 'This gateway is not taking new requests.')
  send(visit, { status: 200, body: '{"status":"ready"}' })
}
