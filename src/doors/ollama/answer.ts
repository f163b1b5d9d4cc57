import type { GatewayError } from '../../errors.ts'
import type { Event, FinishReason, Usage } from '../../protocol/event.ts'
import { unfinished } from '../../protocol/finish.ts'
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../protocol/json.ts'
import type { Writable } from '../../protocol/writable.ts'
import type { StreamPrinter } from '../door.ts'
import { joinDeltas } from '../shared/join-deltas.ts'
import type { ToolNames } from '../shared/tools.ts'

export const lineStream = 'application/x-ndjson'

/** Where the words stand: in a message, or beside it. All are literals of JSON. */
export interface Shape {
  content(text: string): string
  thinking(text: string): string
  call(call: string): string
  whole(said: { readonly content: string; readonly thinking: string; readonly calls: readonly string[] }): string
}

export const chatShape: Shape = {
  content: (text) => `"message":{"role":"assistant","content":${text}}`,
  thinking: (text) => `"message":{"role":"assistant","content":"","thinking":${text}}`,
  call: (call) => `"message":{"role":"assistant","content":"","tool_calls":[${call}]}`,
  whole({ content, thinking, calls }) {
    const thoughts = thinking === '' ? '' : `,"thinking":${JSON.stringify(thinking)}`
    const made = calls.length === 0 ? '' : `,"tool_calls":[${calls.join(',')}]`
    return `"message":{"role":"assistant","content":${JSON.stringify(content)}${thoughts}${made}}`
  },
}

export const generateShape: Shape = {
  content: (text) => `"response":${text}`,
  thinking: (text) => `"response":"","thinking":${text}`,
  // No tools are offered there.
  call: (call) => `"response":${JSON.stringify(call)}`,
  whole({ content, thinking, calls }) {
    const thoughts = thinking === '' ? '' : `,"thinking":${JSON.stringify(thinking)}`
    return `"response":${JSON.stringify(content + calls.join(''))}${thoughts}`
  },
}

/** What all lines of an answer share. */
export interface LineOptions {
  /** As the client wrote it. */
  readonly model: string
  readonly shape: Shape
  readonly names: Pick<ToolNames, 'toOuter'>
  readonly now: () => number
}

/** The beginning of a line told now. Lines of one millisecond share it. */
function createHead({ model, now }: LineOptions): () => string {
  const before = `{"model":${JSON.stringify(model)},"created_at":"`
  let at = Number.NaN
  let head = ''
  return () => {
    const time = now()
    if (time !== at) {
      at = time
      head = `${before}${new Date(time).toISOString()}",`
    }
    return head
  }
}

function printPiece(piece: Piece, { shape }: LineOptions): string {
  switch (piece.kind) {
    case 'content':
      return shape.content(JSON.stringify(piece.text))
    case 'thinking':
      return shape.thinking(JSON.stringify(piece.text))
    case 'call':
      return shape.call(piece.text)
    case 'logprobs':
      return `${shape.content('""')},"logprobs":${JSON.stringify(piece.items)}`
  }
}

interface Times {
  readonly start: number
  /** When the first word came, where that is known. */
  readonly first: number | undefined
  readonly end: number
}

/** The last object. Durations are nanoseconds, and none is nothing: clients divide by them. */
function printFacts({ finish, usage }: AnswerPieces, { start, first, end }: Times, promptTokens: () => number): string {
  if (finish === undefined) {
    throw unfinished()
  }
  const spoke = first ?? start
  const nanoseconds = (ms: number): number => Math.max(1, Math.round(ms * 1_000_000))
  const facts: JsonObject = {
    done: true,
    done_reason: finish === 'length' ? 'length' : 'stop',
    total_duration: nanoseconds(end - start),
    load_duration: 1,
    prompt_eval_count: usage?.promptTokens ?? promptTokens(),
    prompt_eval_duration: nanoseconds(spoke - start),
    eval_count: usage?.completionTokens ?? 0,
    eval_duration: nanoseconds(end - spoke),
  }
  return `${JSON.stringify(facts).slice(1)}`
}

/** An answer as it comes, one object a line. There is nothing clients skip, so nothing keeps it alive. */
export function createLines(options: LineOptions): StreamPrinter {
  const { shape, names, now } = options
  const speech = createAnswerPieces(names)
  const headNow = createHead(options)
  const start = now()
  let first: number | undefined
  let promptTokens = (): number => 0
  return {
    contentType: lineStream,
    open(facts) {
      promptTokens = facts.promptTokens
      return ''
    },
    push(_, events) {
      const pieces = speech.push(events)
      if (pieces.length === 0) return ''
      first ??= now()
      const head = headNow()
      let lines = ''
      for (const piece of pieces) lines += `${head}${printPiece(piece, options)},"done":false}\n`
      return lines
    },
    end() {
      const facts = printFacts(speech, { start, first, end: now() }, promptTokens)
      return `${headNow()}${shape.content('""')},${facts}\n`
    },
    fail: (error) => `${printError(error)}\n`,
  }
}

/** The same answer in one object. */
export function printWhole(options: LineOptions, start: number, events: readonly Event[]): string {
  const { shape, names, now } = options
  const speech = createAnswerPieces(names)
  const pieces = speech.push(events)
  const textsOf = (kind: Exclude<Piece['kind'], 'logprobs'>): readonly string[] =>
    pieces.flatMap((piece) => (piece.kind === kind && 'text' in piece ? [piece.text] : []))
  const said = {
    content: textsOf('content').join(''),
    thinking: textsOf('thinking').join(''),
    calls: textsOf('call'),
  }
  const logprobs = pieces.flatMap((piece): readonly Json[] => (piece.kind === 'logprobs' ? piece.items : []))
  const beside = logprobs.length === 0 ? '' : `"logprobs":${JSON.stringify(logprobs)},`
  const facts = printFacts(speech, { start, first: undefined, end: now() }, () => 0)
  return `${createHead(options)()}${shape.whole(said)},${beside}${facts}`
}

/** What is said when nothing was asked: the model is there, or is let go. */
export function printLoad(options: LineOptions, reason: 'load' | 'unload'): string {
  return `${createHead(options)()}${options.shape.content('""')},"done":true,"done_reason":"${reason}"}`
}

/** What one line says. A call is JSON, whole. */
export type Piece =
  | { readonly kind: 'content' | 'thinking' | 'call'; readonly text: string }
  | { readonly kind: 'logprobs'; readonly items: readonly Json[] }

/** Follows an answer. Its calls are told when they are complete: here a call that is told is run. */
export interface AnswerPieces {
  push(events: readonly Event[]): readonly Piece[]
  readonly finish: FinishReason | undefined
  readonly usage: Usage | undefined
}

interface OpenCall {
  readonly id: string
  readonly name: string
  json: string
}

function createAnswerPieces({ toOuter }: Pick<ToolNames, 'toOuter'>): AnswerPieces {
  let open: OpenCall | undefined
  let calls = 0

  function endCall({ id, name, json }: OpenCall): Piece {
    const written = json.trim() === '' ? '{}' : json
    // There is no call without an object here, and what cannot be one is at least not lost.
    if (!isJsonObject(parseJson(written))) return { kind: 'content', text: written }
    // As it was written, so that large numbers stay what they are; line ends in JSON are but white space.
    const called = `"name":${JSON.stringify(toOuter(name))},"arguments":${written.replace(/[\r\n]+/g, ' ')}`
    return { kind: 'call', text: `{"id":${JSON.stringify(id)},"function":{"index":${calls++},${called}}}` }
  }

  function toPiece(event: Event): Piece | undefined {
    switch (event.type) {
      case 'text-delta':
      case 'refusal-delta':
        return { kind: 'content', text: event.text }
      case 'reasoning-delta':
        return { kind: 'thinking', text: event.text }
      case 'call-start':
        open = { id: event.id, name: event.name, json: '' }
        return undefined
      case 'call-delta':
        if (open !== undefined) open.json += event.json
        return undefined
      case 'call-end': {
        const ended = open
        open = undefined
        return ended && endCall(ended)
      }
      case 'call-error':
        open = undefined
        return { kind: 'content', text: event.raw }
      case 'logprobs':
        return { kind: 'logprobs', items: event.content }
      case 'usage':
        speech.usage = event
        return undefined
      case 'finish':
        speech.finish ??= event.reason
        return undefined
      default:
        return undefined
    }
  }

  const speech: Writable<AnswerPieces> = {
    finish: undefined,
    usage: undefined,
    push(events) {
      const pieces = joinDeltas(events).flatMap((event) => toPiece(event) ?? [])
      return pieces.filter((piece) => (piece.kind === 'logprobs' ? piece.items.length > 0 : piece.text !== ''))
    },
  }
  return speech
}

/** Every failure is one text: clients show an object as `[object Object]`. */
export function printError(error: GatewayError): string {
  return JSON.stringify({ error: wordsOf(error) })
}

/** Clients look for these words, to ask for a key or to offer to fetch the model. */
function wordsOf({ code, message }: GatewayError): string {
  if (code === 'invalid_api_key') return 'unauthorized'
  if (code === 'model_not_found') return message.replace(/^The model ('.*?') does not exist\b/s, 'model $1 not found')
  return message
}
