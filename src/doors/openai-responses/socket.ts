import { GatewayError } from '../../errors.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../protocol/json.ts'
import type { Reply, SocketProtocol } from '../door.ts'
import { quoted } from '../shared/fields.ts'

/**
 * Responses over a WebSocket, as OpenAI's guide to its WebSocket mode has them and Codex speaks them: each
 * `response.create` is the body of a `POST /v1/responses` that streams, and each event is a message. Clients that run
 * several conversations on one connection tell them apart by `stream_id`.
 */
export const responsesSocket: SocketProtocol = {
  read(message) {
    const value = parseJson(message)
    if (!isJsonObject(value)) throw new GatewayError('invalid_json', 'A message must be a JSON object.')
    const { type, stream_id: stream, background: _, ...fields } = value
    if (type !== 'response.create') {
      const given = typeof type === 'string' ? quoted(type) : 'none'
      throw new GatewayError('invalid_value', `The type of a message must be 'response.create', but it is ${given}.`, {
        param: 'type',
      })
    }
    const lane = typeof stream === 'string' ? stream : ''
    return {
      path: '/v1/responses',
      body: JSON.stringify({ ...fields, stream: true }),
      lane,
      print: (data) => (lane === '' ? data : `{"stream_id":${JSON.stringify(lane)},${data.slice(1)}`),
    }
  },
  printFailure({ status, body, headers }, lane) {
    const failure = parseJson(body)
    const error = isJsonObject(failure) && isJsonObject(failure['error']) ? failure['error'] : { message: body }
    return JSON.stringify({
      type: 'error',
      status,
      error,
      ...(lane !== '' && { stream_id: lane }),
      ...failureHeaders(headers),
    })
  },
}

/** How long to wait is failure by a header, which is all that clients look for among them. */
function failureHeaders(headers: Reply['headers']): JsonObject {
  const wait = headers?.['retry-after']
  return wait === undefined ? {} : { headers: { 'retry-after': wait } }
}
