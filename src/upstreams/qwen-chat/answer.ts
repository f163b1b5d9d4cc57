import { GatewayError } from '../../errors.ts'
import type { FinishReason, Usage } from '../../protocol/event.ts'
import { isJsonObject, type JsonObject, parseObject } from '../../protocol/json.ts'
import type { Writable } from '../../protocol/writable.ts'
import type { UpstreamEvent } from '../upstream.ts'
import { createSseReader, type NamedEvent } from '../wire/sse.ts'
import type { BodyReader } from '../wire/stream.ts'
import { isRefusal } from './failures.ts'

/** The ids the service made for a question and its answer. */
export interface Created {
  readonly parent_id?: string
  readonly response_id?: string
}

export interface QwenAnswer extends BodyReader {
  readonly created: Created
  /** The service itself said that the answer is complete, and all of it was passed on. */
  readonly isWhole: boolean
}

interface AnswerOptions {
  readonly upstream: string
  /** Makes a failure of a refusal inside the stream. */
  readonly classify: (body: string) => Error
  /** The service has no such limit: it is enforced here, by the service's own count. */
  readonly maxTokens?: number | undefined
  /** The largest event, in characters. */
  readonly maxEvent?: number | undefined
}

/** An answer, from bytes to events. Thoughts and words come in phases; only the end of the words is the end. */
export function createQwenAnswer({ upstream, classify, maxTokens, maxEvent }: AnswerOptions): QwenAnswer {
  const sse = createSseReader(maxEvent)
  const words = createIncrements()
  const thoughts = createIncrements()
  const summary = createSnapshots()
  let usage: Usage | undefined
  let spoke = false
  let finish: FinishReason | undefined
  let assumed = false
  let cut = false

  function say(text: string, into: UpstreamEvent[]): void {
    if (text === '') return
    into.push({ type: 'text', text })
    spoke = true
  }

  function readDelta(delta: JsonObject, into: UpstreamEvent[]): void {
    const content = typeof delta['content'] === 'string' ? delta['content'] : ''
    switch (delta['phase'] ?? 'answer') {
      case 'think':
      case 'thinking':
        addReasoning(thoughts.add(content), into)
        return
      case 'thinking_summary':
        addReasoning(summary(printSummary(delta['extra'])), into)
        return
      case 'answer':
        // Some models end with this word as a marker.
        if (content !== 'FINISHED') say(words.add(content), into)
        if (delta['status'] === 'finished') finish ??= 'stop'
        return
    }
  }

  function readEvent({ event, data }: NamedEvent, into: UpstreamEvent[]): void {
    if (finish !== undefined) return
    if (event === 'error') throw classify(data)
    if (data.trim() === '[DONE]') {
      finish = 'stop'
      assumed = true
      return
    }
    const value = parse(data, upstream)
    if (isRefusal(value)) throw classify(data)
    const announced = value['response.created']
    if (isJsonObject(announced) && answer.created.response_id === undefined) answer.created = toCreated(announced)
    const response = value['response_id']
    // Answers to other questions of the same chat may come in between.
    if (
      typeof response === 'string' &&
      answer.created.response_id !== undefined &&
      response !== answer.created.response_id
    )
      return
    if (typeof response === 'string') answer.created = { ...answer.created, response_id: response }
    usage = readUsage(value['usage']) ?? usage
    const choices = value['choices']
    const choice = Array.isArray(choices) ? choices.find(isJsonObject) : undefined
    if (isJsonObject(choice?.['delta'])) readDelta(choice['delta'], into)
    const reason = choice?.['finish_reason']
    if (typeof reason === 'string' && reason !== '') finish ??= reason === 'length' ? 'length' : 'stop'
    if (maxTokens !== undefined && finish === undefined && (usage?.completionTokens ?? 0) >= maxTokens) {
      finish = 'length'
      cut = true
    }
  }

  function settle(): void {
    answer.done = finish !== undefined
    answer.isWhole = finish === 'stop' && !assumed && !cut
  }

  const answer: Writable<QwenAnswer> = {
    done: false,
    created: {},
    isWhole: false,
    push(bytes, into) {
      const events = sse.push(bytes)
      for (const event of events) readEvent(event, into)
      settle()
      return events.length > 0
    },
    end(into) {
      for (const event of sse.end()) readEvent(event, into)
      settle()
      if (finish === undefined && spoke) {
        throw new GatewayError('upstream_truncated', `${upstream}: the stream ended before the response was complete.`)
      }
      addReasoning(thoughts.end(), into)
      say(words.end(), into)
      if (!spoke && !cut) throw new GatewayError('upstream_error', `${upstream}: the response was empty.`)
      if (usage) into.push({ type: 'usage', ...usage })
      into.push({ type: 'finish', reason: finish ?? 'stop', ...(assumed && { assumed }) })
    },
  }
  return answer
}

function addReasoning(text: string, into: UpstreamEvent[]): void {
  if (text !== '') into.push({ type: 'reasoning', text })
}

function parse(data: string, upstream: string): JsonObject {
  const value = parseObject(data)
  if (value !== undefined) return value
  throw new GatewayError(
    'upstream_malformed',
    `${upstream}: the response stream holds an event that is not a JSON object.`,
  )
}

function toCreated(announced: JsonObject): Created {
  const { parent_id: parent, response_id: response } = announced as Readonly<Record<string, unknown>>
  return {
    ...(typeof parent === 'string' && { parent_id: parent }),
    ...(typeof response === 'string' && { response_id: response }),
  }
}

/** Told with every piece, as a sum so far. */
function readUsage(value: unknown): Usage | undefined {
  if (!isJsonObject(value)) return undefined
  const {
    input_tokens: input,
    output_tokens: output,
    cached_tokens: cached,
  } = value as Readonly<Record<string, unknown>>
  if (typeof input !== 'number' || typeof output !== 'number') return undefined
  const details = value['output_tokens_details']
  const reasoning = isJsonObject(details) ? details['reasoning_tokens'] : undefined
  return {
    promptTokens: input,
    completionTokens: output,
    ...(typeof cached === 'number' && { cachedTokens: cached }),
    ...(typeof reasoning === 'number' && { reasoningTokens: reasoning }),
  }
}

/** The titles and thoughts of a summary as it stands now. */
function printSummary(extra: unknown): string {
  const titles = linesOf(extra, 'summary_title')
  const thoughts = linesOf(extra, 'summary_thought')
  const count = Math.max(titles.length, thoughts.length)
  return Array.from({ length: count }, (_, index) =>
    [titles[index], thoughts[index]].filter((line) => line !== undefined && line !== '').join('\n'),
  ).join('\n\n')
}

function linesOf(extra: unknown, name: string): readonly string[] {
  const part = isJsonObject(extra) ? extra[name] : undefined
  const content = isJsonObject(part) ? part['content'] : undefined
  return Array.isArray(content) ? content.map((line) => (typeof line === 'string' ? line : '')) : []
}

/** Makes pieces of a text, some of which repeat all that went before, into what each of them adds. */
export interface Increments {
  add(piece: string): string
  /** What was still doubtful when the text ended. */
  end(): string
}

/** So much of a beginning does not come again by chance in one piece. */
const UNMISTAKABLE = 32

/**
 * Asked for increments, this service sends increments; a few models send the whole text each time, or once more at the
 * end. Early on, `a` and then `ab` may be either. The piece after it decides: a whole text begins with `ab`.
 */
export function createIncrements(): Increments {
  let said = ''
  let doubtful: string | undefined
  let manner: 'unknown' | 'increments' | 'whole' = 'unknown'

  function take(increment: string): string {
    said += increment
    return increment
  }

  function repeats(piece: string): boolean {
    return said !== '' && piece.length >= said.length && piece.startsWith(said)
  }

  function isDoubtful(piece: string): boolean {
    return manner === 'unknown' && piece.length > said.length
  }

  return {
    add(piece) {
      if (piece === '') return ''
      if (doubtful !== undefined) {
        const earlier = doubtful
        doubtful = undefined
        manner = piece.startsWith(earlier) ? 'whole' : 'increments'
        if (manner === 'increments') return take(earlier + piece)
      }
      if (repeats(piece)) {
        if (manner === 'whole' || said.length >= UNMISTAKABLE) return take(piece.slice(said.length))
        if (isDoubtful(piece)) {
          doubtful = piece
          return ''
        }
      }
      if (said !== '') manner = 'increments'
      return take(piece)
    },
    end() {
      const rest = doubtful ?? ''
      doubtful = undefined
      return take(rest)
    },
  }
}

/** What a snapshot adds to the one before it; where it differs, everything from there. */
export function createSnapshots(): (snapshot: string) => string {
  let seen = ''
  return (snapshot) => {
    let same = snapshot.startsWith(seen) ? seen.length : 0
    while (same < seen.length && seen[same] === snapshot[same]) same += 1
    seen = snapshot
    return snapshot.slice(same)
  }
}
