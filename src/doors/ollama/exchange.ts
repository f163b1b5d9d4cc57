import { GatewayError } from '../../errors.ts'
import type { Note } from '../../protocol/event.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Request } from '../../protocol/request.ts'
import type { DoorContext, Exchange } from '../door.ts'
import { fail, filledText, flag, optional } from '../shared/fields.ts'
import { createLines, lineStream, printLoad, printWhole, type Telling } from './answer/lines.ts'

export function readFields(body: unknown): JsonObject {
  if (isJsonObject(body)) return body
  throw new GatewayError('invalid_type', 'Invalid type for the request body: expected a JSON object.')
}

/** `model`, which older clients call `name`. */
export function readModelName(fields: JsonObject): string {
  return filledText(fields['model'] ?? fields['name'], 'model')
}

/** Whether the client wants it in pieces; it does, unless it says no. */
export function readStream(fields: JsonObject): boolean {
  return optional(flag)(fields['stream'], 'stream') ?? true
}

/** An answer of the model, streamed or whole. */
export function toExchange(request: Request, streaming: boolean, telling: Telling): Exchange {
  const start = telling.now()
  return {
    model: request.model,
    streaming,
    tellsUsage: true,
    requests: [request],
    createStream: () => createLines(telling),
    printBody: ([events = []]) => printWhole(telling, start, events),
  }
}

/** Nothing is asked: clients have a model loaded before they use it, or let go of afterwards. It is there, or it is not. */
export async function toLoad(
  fields: JsonObject,
  streaming: boolean,
  telling: Telling,
  context: DoorContext,
  unknown: readonly Note[],
): Promise<Exchange> {
  const { model } = telling
  const misspelt = unknown.find(({ detail = '' }) => /\((?:messages|prompt|images)\?\)$/.test(detail))
  if (misspelt?.detail !== undefined) {
    fail(
      'missing_required_parameter',
      `Nothing is asked, and one field is unknown here: ${misspelt.detail}`,
      misspelt.detail,
    )
  }
  await context.model(model)
  const reason = isOver(fields['keep_alive']) ? 'unload' : 'load'
  return {
    model,
    streaming,
    tellsUsage: false,
    requests: [],
    createStream: () => ({
      contentType: lineStream,
      open: () => '',
      push: () => '',
      end: () => `${printLoad(telling, reason)}\n`,
      fail: () => '',
    }),
    printBody: () => printLoad(telling, reason),
  }
}

/** `0`, `"0"`, `"0s"`. */
function isOver(keepAlive: unknown): boolean {
  return keepAlive === 0 || (typeof keepAlive === 'string' && /^0+(?:\.0+)?[a-z]*$/.test(keepAlive))
}

/** A model that is known not to think cannot be told to. Where that is not known, it is tried. */
export async function checkThinking(request: Request, context: DoorContext): Promise<void> {
  if (request.reasoning?.enabled !== true) return
  const { thinking } = await context.model(request.model)
  if (thinking === false) fail('unsupported_parameter', `"${request.model}" does not support thinking`, 'think')
}
