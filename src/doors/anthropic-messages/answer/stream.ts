import type { JsonObject } from '../../../protocol/json.ts'
import { comment, eventStream, type StreamPrinter } from '../../door.ts'
import { toError } from '../errors.ts'
import {
  type BlockKind,
  createMessage,
  type Identity,
  type Manner,
  type Message,
  toHead,
  toUsage,
  type Wire,
} from './message.ts'

/** What a piece of each kind of block is called, up to its text. */
const deltas: Readonly<Record<BlockKind, string>> = {
  text: 'text_delta","text":',
  thinking: 'thinking_delta","thinking":',
  call: 'input_json_delta","partial_json":',
}

interface PrintingWire extends Wire {
  /** What was printed since it was last taken. */
  take(): string
}

function createWire(): PrintingWire {
  let printed = ''
  let index = -1
  /** What every piece of the open block begins with; printed once. */
  let head = ''
  let before = ''
  return {
    begin(kind, block) {
      index += 1
      head = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{"type":"`
      before = head + deltas[kind]
      printed += print('content_block_start', `"index":${index},"content_block":${block}`)
    },
    delta(piece) {
      printed += `${before}${JSON.stringify(piece)}}}\n\n`
    },
    signature(signature) {
      printed += `${head}signature_delta","signature":${JSON.stringify(signature)}}}\n\n`
    },
    stop() {
      printed += print('content_block_stop', `"index":${index}`)
    },
    take() {
      const taken = printed
      printed = ''
      return taken
    },
  }
}

/** A message as this protocol streams it. It is concluded (kept) before the client learns that it is over. */
export function createStream(
  identity: Identity,
  manner: Manner,
  conclude?: (message: Message) => Promise<void>,
): StreamPrinter {
  const wire = createWire()
  const message = createMessage(manner, wire)
  return {
    contentType: eventStream,
    beat: comment,
    open: ({ promptTokens }) =>
      printObject('message_start', {
        message: {
          ...toHead(identity),
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: toUsage({ promptTokens: promptTokens(), completionTokens: 0 }),
        },
      }),
    push(_, events) {
      message.push(events)
      return wire.take()
    },
    end() {
      const last = printObject('message_delta', {
        delta: message.stop(),
        usage: toUsage(message.usage),
        ...message.remarks(),
      })
      const ending = last + printObject('message_stop', {})
      return conclude === undefined ? ending : conclude(message).then(() => ending)
    },
    fail: (error) => printObject('error', { error: toError(error) }),
  }
}

/** Clients of this protocol tell events by their name, and see none without. */
function print(type: string, inner: string): string {
  return `event: ${type}\ndata: {"type":"${type}",${inner}}\n\n`
}

function printObject(type: string, fields: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}
