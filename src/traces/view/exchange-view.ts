import type { Usage } from '../../protocol/event.ts'
import { callsOf } from '../../protocol/message.ts'
import { changeSentences } from '../../protocol/trace/sentences.ts'
import type { Look, RawAnswer, Recipe, Reread } from '../../turn/observer.ts'
import type { Golden } from '../api.ts'
import type { Asked, Attempt, Exchange, Failure, Got, NoteView, Payload, Sent, Summary } from '../exchange.ts'
import { isTruncated, type KeptText, type Recorded, type UpstreamRecording } from '../recording/recording.ts'
import { createMask, type Mask } from './redact.ts'
import { findSegments, textsOf } from './segments.ts'

/** The one way out of a recording: whatever is shown, exported or written to a file goes through here, secrets hidden. */

/** All there is to tell of one exchange. */
export interface ExchangeView {
  readonly exchange: Exchange
  readonly golden: Golden | undefined
}

export function toSummary(recording: Recorded, mask = createMask(recording.beginning.secrets)): Summary {
  const { beginning, asked, plan, ending, gotCalls, notes, conversation, gist } = recording
  const { id, requestId, at, client, keyName, door, path } = beginning
  const firstByteMs = ending?.firstByteMs ?? recording.firstByteMs
  const reply = replyOf(recording, mask)
  return {
    id,
    requestId,
    at,
    client,
    ...(keyName !== undefined && { keyName }),
    door,
    path,
    ...(asked.model !== undefined && { model: asked.model }),
    ...(plan !== undefined && { service: plan.upstream, upstreamModel: plan.model, mode: plan.mode }),
    ...(plan?.dialect !== undefined && { dialect: plan.dialect }),
    streamed: asked.streaming,
    state: ending?.state ?? 'open',
    ...(ending !== undefined && { status: ending.status, totalMs: ending.totalMs }),
    ...(ending?.error !== undefined && { error: toFailure(ending.error, mask) }),
    ...(firstByteMs !== undefined && { firstByteMs }),
    ...(recording.usage !== undefined && { usage: toUsage(recording.usage) }),
    calls: ending?.calls ?? gotCalls.filter(({ isComplete }) => isComplete).length,
    notes: ending === undefined ? [...new Set(notes.map(({ kind }) => kind))] : [...ending.notes],
    ...(gist !== undefined && { gist: mask(gist).slice(0, shownLength) }),
    ...(reply !== '' && { reply }),
    ...(conversation !== undefined && { conversation }),
  }
}

const shownLength = 120

/** Masked before it is cut: half a secret is not recognised as one. */
function replyOf({ texts, gotText, gotCalls, hasBodies }: Recorded, mask: Mask): string {
  const words = mask(texts[gotText]?.text.slice(0, shownLength * 8) ?? '')
    .replace(/\s+/g, ' ')
    .trim()
  if (words !== '' || !hasBodies) return words.slice(0, shownLength)
  return gotCalls
    .map(({ name }) => name)
    .join(', ')
    .slice(0, shownLength)
}

/** All that was asked and said in an exchange, to be searched. */
export function toWords({ texts, beginning }: Recorded): string {
  return createMask(beginning.secrets)(texts.map(({ text }) => text).join('\n'))
}

export function toExchange(recording: Recorded): Exchange {
  return toView(recording).exchange
}

export function toView(recording: Recorded): ExchangeView {
  const { beginning, texts, attempts } = recording
  const mask = createMask(beginning.secrets)
  const readings = attempts.map((attempt) => readAgain(recording, attempt))
  const last = attempts.findLastIndex(({ text }) => isWhole(texts[text]))
  return {
    exchange: printExchange(recording, readings, mask),
    golden: toGolden(beginning.id, readings[last]?.reread, mask),
  }
}

const isWhole = (kept: KeptText | undefined): boolean => kept !== undefined && kept.length > 0 && !isTruncated(kept)

/** What was made of a question, and of its answer; none where bodies are not kept. */
interface Reading {
  readonly look: Look | undefined
  readonly reread: Reread
}

function readAgain({ hasBodies, asked, texts, ending }: Recorded, attempt: UpstreamRecording): Reading {
  const { asking, choice, corrected, finish, calledAt, request = asked.requests[choice] } = attempt
  const look = hasBodies && request !== undefined ? asking.look({ request, corrected }) : undefined
  const text = texts[attempt.text]?.text ?? ''
  const how = endingOf(finish, ending?.state === 'done')
  return { look, reread: look?.reread({ text, calledAt, ending: how }) ?? { spans: [] } }
}

/** How a service ended its answer. One that was read no further, because all was said, ended well. */
function endingOf(finish: UpstreamRecording['finish'], isDone: boolean): RawAnswer['ending'] {
  if (finish === undefined) return isDone ? 'stop' : 'died'
  return finish === 'tool_calls' ? 'stop' : finish
}

function printExchange(recording: Recorded, readings: readonly Reading[], mask: Mask): Exchange {
  const { hasBodies, ending, attempts } = recording
  return {
    ...toSummary(recording, mask),
    hasBodies,
    asked: toAsked(recording, mask),
    attempts: attempts.map((attempt, place) => toAttempt(recording, attempt, readings[place], mask)),
    got: toGot(recording, mask),
    told: recording.notes.map((note) => printNote(note, mask)),
    changes: (ending?.changes ?? []).map((change) => ({
      ...change,
      ...(change.detail !== undefined && { detail: mask(change.detail) }),
      ...wordsOf(change.kind),
    })),
  }
}

function toUsage({ promptTokens, completionTokens, ...rest }: Usage & { readonly type?: string }): Usage {
  const { type: _, ...more } = rest
  return { promptTokens, completionTokens, ...more }
}

function toFailure({ code, message }: Failure, mask: Mask): Failure {
  return { code, message: mask(message) }
}

function toAsked({ beginning, tools, texts, askedBody, hasBodies }: Recorded, mask: Mask): Asked {
  const { method, url, headers } = beginning
  return {
    method,
    url,
    headers: headers.map(({ name, value }) => ({ name, value: mask(value) })),
    ...(hasBodies && bodyOf(texts[askedBody], mask)),
    tools,
  }
}

/** None where nothing came. */
function bodyOf(kept: KeptText | undefined, mask: Mask): { readonly body?: Payload } {
  if (kept === undefined || kept.length === 0) return {}
  return { body: { text: mask(kept.text), length: kept.length, isTruncated: isTruncated(kept) } }
}

function toAttempt(recording: Recorded, attempt: UpstreamRecording, reading: Reading | undefined, mask: Mask): Attempt {
  const { asking, choice, atMs, calls, beats, finish, length } = attempt
  const { plan } = asking
  const { ending, attempts, texts } = recording
  const [text, thoughts] = [texts[attempt.text], texts[attempt.thoughts]]
  const isOver = finish !== undefined || ending !== undefined
  const isLast = attempts.at(-1) === attempt
  const failure = attempt.failure ?? (isLast && finish === undefined ? ending?.error : undefined)
  return {
    service: plan.upstream,
    upstreamModel: plan.model,
    atMs,
    mode: plan.mode,
    ...(plan.dialect !== undefined && { dialect: plan.dialect }),
    choice,
    sent: toSent(recording, attempt, reading?.look, mask),
    said: {
      text: mask(text?.text ?? ''),
      thoughts: mask(thoughts?.text ?? ''),
      calls: calls.map(({ index, id, name, json }) => ({
        ...(index !== undefined && { index }),
        ...(id !== undefined && { id }),
        name,
        arguments: mask(texts[json]?.text ?? ''),
      })),
      pieces: [...beats],
      ...(finish !== undefined && { finish }),
      length,
      isTruncated: [text, thoughts].some((kept) => kept !== undefined && isTruncated(kept)),
    },
    spans: isOver ? (reading?.reread.spans ?? []) : [],
    ...(failure !== undefined && { failure: toFailure(failure, mask) }),
  }
}

function toSent(
  { asked, texts }: Recorded,
  { asking, choice, body, tools }: UpstreamRecording,
  look: Look | undefined,
  mask: Mask,
): Sent {
  const { rung, plan } = asking
  const form = rung === undefined ? {} : { form: rung }
  if (look === undefined) return { tools, ...form }
  const { messages, prefill, constraint } = look.request
  const said = asked.requests[choice]?.messages ?? []
  const segments = findSegments(messages, {
    messages: said,
    taught: look.taught,
    reminder: look.request.reminder,
    isRetold: plan.mode === 'prompt' || (plan.mode === 'none' && said.some(({ role }) => role === 'tool')),
  })
  const held = constraint && mask(printConstraint(constraint))
  return {
    messages: messages.map((message, place) => ({
      role: message.role,
      text: mask(textsOf(message.content).join('\n')),
      ...(callsOf(message).length > 0 && {
        calls: callsOf(message).map((call) => ({ id: call.id, name: call.name, arguments: mask(call.arguments) })),
      }),
      segments: segments[place] ?? [],
    })),
    tools,
    ...bodyOf(texts[body], mask),
    ...(prefill !== undefined && { prefill: mask(prefill) }),
    ...(held !== undefined && { constraint: { text: held, length: held.length, isTruncated: false } }),
    ...form,
  }
}

/** A schema or a grammar, as the service gets it. */
function printConstraint(constraint: object): string {
  const { kind: _, ...rest } = constraint as {
    readonly kind?: unknown
    readonly grammar?: unknown
    readonly schema?: unknown
  }
  return typeof rest.grammar === 'string' ? rest.grammar : JSON.stringify(rest.schema ?? rest)
}

function toGot(
  { ending, contentType, hasBodies, texts, gotBody, gotText, gotThoughts, gotCalls, gotBeats, finish }: Recorded,
  mask: Mask,
): Got {
  return {
    ...(ending !== undefined && { status: ending.status }),
    ...(contentType !== undefined && { contentType }),
    ...(hasBodies && bodyOf(texts[gotBody], mask)),
    text: mask(texts[gotText]?.text ?? ''),
    thoughts: mask(texts[gotThoughts]?.text ?? ''),
    calls: gotCalls.map(({ json, ...call }) => ({ ...call, arguments: mask(texts[json]?.text ?? '') })),
    ...(finish !== undefined && { finish }),
    pieces: [...gotBeats],
  }
}

function printNote({ kind, detail, index }: Recorded['notes'][number], mask: Mask): NoteView {
  return {
    kind,
    ...wordsOf(kind),
    ...(detail !== undefined && { detail: mask(detail) }),
    ...(index !== undefined && { call: index }),
  }
}

function wordsOf(kind: keyof typeof changeSentences): { readonly words?: string } {
  const words = changeSentences[kind]
  return words === undefined ? {} : { words }
}

/** An answer that was read again as a case for `dragoman explain --batch`; undefined where it cannot be one. */
function toGolden(id: string, reread: Reread | undefined, mask: Mask): Golden | undefined {
  const recipe = reread?.recipe
  return recipe === undefined || recipe.ending === 'died' ? undefined : fromRecipe(id, recipe, mask)
}

function printTool({ name, description, parameters }: Recipe['tools'][number]): object {
  return { type: 'function', function: { name, description, parameters } }
}

function fromRecipe(id: string, recipe: Recipe, mask: Mask): Golden {
  const { text, tools, dialect, parallel, startsIn, unknownTools, ending, quoted, content, reasoning, calls } = recipe
  const masked = (call: { readonly name: string; readonly arguments: string }) => ({
    name: call.name,
    arguments: mask(call.arguments),
  })
  return {
    id,
    text: mask(text),
    tools: JSON.parse(mask(JSON.stringify(tools.map(printTool)))) as Golden['tools'],
    ...(dialect !== undefined && { dialect }),
    ...(parallel !== undefined && { parallel_tool_calls: parallel }),
    finish_reason: ending,
    starts_in: startsIn,
    unknown_tools: unknownTools,
    ...(quoted.length > 0 && { quoted: quoted.map(masked) }),
    expected: {
      content: content === '' && calls.length > 0 ? null : mask(content),
      reasoning: reasoning === '' ? null : mask(reasoning),
      tool_calls: calls.map(masked),
      finish_reason: recipe.finish ?? null,
    },
  }
}
