import { GatewayError } from '../../errors.ts'
import type { ServiceCard } from '../../turn/turn.ts'
import { printReadiness } from '../lookout.ts'
import { send } from '../response/send.ts'
import type { Visit } from '../visit.ts'

/** The process is there: depends on nothing, so that nothing else's trouble gets it restarted. */
export function respondLive(visit: Visit): void {
  send(visit, { status: 200, body: '{"status":"live"}' })
}

/**
 * New requests are welcome, and there is a service to put them to. With some of the services down it is `degraded` and
 * still takes requests; with all of them down it is not ready. Without `services` nobody looks after them.
 */
export function respondReady(
  visit: Visit,
  isOpen: () => boolean,
  services?: () => readonly ServiceCard[] | undefined,
): void {
  if (!isOpen()) throw new GatewayError('draining', 'The gateway is shutting down and takes no new requests.')
  const seen = services === undefined ? [] : services()
  if (seen === undefined) throw new GatewayError('not_ready', 'The gateway is still checking its model servers.')
  const { state, troubles } = printReadiness(seen)
  if (state === 'down') {
    const error = new GatewayError('not_ready', 'No model server can be used right now.')
    visit.error = error
    const { message, type, param, code } = error
    const body = { status: 'down', services: troubles, error: { message, type, param, code } }
    return send(visit, { status: error.status, body: JSON.stringify(body) })
  }
  const body = state === 'ready' ? { status: state } : { status: state, services: troubles }
  send(visit, { status: 200, body: JSON.stringify(body) })
}
