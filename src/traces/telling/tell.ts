import type { Usage } from '../../protocol/event.ts'
import { callsOf } from '../../protocol/message.ts'
import { changeSentences } from '../../protocol/trace/sentences.ts'
import type { Asked, Attempt, Exchange, Failure, Got, Payload, Sent, Summary, ToldNote } from '../exchange.ts'
import type { Hearsay } from '../recording/hearsay.ts'
import type { Recording } from '../recording/recording.ts'
import { createMask, type Mask } from './redact.ts'
import { findSegments, textsOf } from './segments.ts'

/** The one way out of a recording: whatever is shown, exported or written to a file goes through here, secrets hidden. */

export function toSummary(recording: Recording, mask = createMask(recording.beginning.secrets)): Summary {
  const { beginning, asked, plan, ending, gotCalls, notes, conversation, gist } = recording
  const { id, requestId, at, client, keyName, door, path } = beginning
  const firstByteMs = ending?.firstByteMs ?? recording.firstByteMs
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
    ...(gist !== undefined && { gist: mask(gist) }),
    ...(conversation !== undefined && { conversation }),
  }
}

export function toExchange(recording: Recording): Exchange {
  const mask = createMask(recording.beginning.secrets)
  const { hasBodies, ending, hearsays } = recording
  return {
    ...toSummary(recording, mask),
    hasBodies,
    asked: toAsked(recording, mask),
    attempts: hearsays.map((hearsay, place) => toAttempt(recording, hearsay, place === hearsays.length - 1, mask)),
    got: toGot(recording, mask),
    told: recording.notes.map((note) => toTold(note, mask)),
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

function toAsked({ beginning, tools, askedBody, hasBodies }: Recording, mask: Mask): Asked {
  const { method, url, headers } = beginning
  return {
    method,
    url,
    headers: headers.map(({ name, value }) => ({ name, value: mask(value) })),
    ...(hasBodies && askedBody.length > 0 && { body: toPayload(askedBody, mask) }),
    tools,
  }
}

function toPayload({ text, length, isTruncated }: Payload, mask: Mask): Payload {
  return { text: mask(text), length, isTruncated }
}

function toAttempt(recording: Recording, hearsay: Hearsay, isLast: boolean, mask: Mask): Attempt {
  const { asking, choice, atMs, text, thoughts, calls, beats, finish, length } = hearsay
  const { plan } = asking
  const isOver = finish !== undefined || recording.ending !== undefined
  const failure = hearsay.failure ?? (isLast && finish === undefined ? recording.ending?.error : undefined)
  return {
    service: plan.upstream,
    upstreamModel: plan.model,
    atMs,
    mode: plan.mode,
    ...(plan.dialect !== undefined && { dialect: plan.dialect }),
    choice,
    sent: toSent(recording, hearsay, mask),
    said: {
      text: mask(text.text),
      thoughts: mask(thoughts.text),
      calls: calls.map(({ index, id, name, json }) => ({
        ...(index !== undefined && { index }),
        ...(id !== undefined && { id }),
        name,
        arguments: mask(json.text),
      })),
      pieces: beats.list(),
      ...(finish !== undefined && { finish }),
      length,
      isTruncated: text.isTruncated || thoughts.isTruncated,
    },
    spans: isOver ? hearsay.reread(recording.endingOf(hearsay)).spans : [],
    ...(failure !== undefined && { failure: toFailure(failure, mask) }),
  }
}

function toSent({ hasBodies, asked }: Recording, hearsay: Hearsay, mask: Mask): Sent {
  const { asking, choice, body, tools } = hearsay
  const { rung, plan } = asking
  const form = rung === undefined ? {} : { form: rung }
  const look = hearsay.look()
  if (!hasBodies || look === undefined) return { tools, ...form }
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
    ...(body.length > 0 && { body: toPayload(body, mask) }),
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
  { ending, contentType, hasBodies, gotBody, gotText, gotThoughts, gotCalls, gotBeats, finish }: Recording,
  mask: Mask,
): Got {
  return {
    ...(ending !== undefined && { status: ending.status }),
    ...(contentType !== undefined && { contentType }),
    ...(hasBodies && gotBody.length > 0 && { body: toPayload(gotBody, mask) }),
    text: mask(gotText.text),
    thoughts: mask(gotThoughts.text),
    calls: gotCalls.map(({ json, ...call }) => ({ ...call, arguments: mask(json.text) })),
    ...(finish !== undefined && { finish }),
    pieces: gotBeats.list(),
  }
}

function toTold({ kind, detail, index }: Recording['notes'][number], mask: Mask): ToldNote {
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
