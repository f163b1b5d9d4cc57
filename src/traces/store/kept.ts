import type { Request } from '../../protocol/request.ts'
import type { Asking, Question } from '../../turn/witness.ts'
import type { Summary } from '../exchange.ts'
import { type Beginning, Recording } from '../recording/recording.ts'
import { Beats } from '../recording/tape.ts'
import { toSummary } from '../telling/tell.ts'

/** A recording put away: one piece of memory, and the few things that cannot be made of bytes again. */
export interface Kept {
  readonly summary: Summary
  /** The index as JSON, and behind it all that was asked and said, in the order of its tapes. */
  readonly bytes: Buffer
  readonly indexLength: number
  readonly askings: readonly Asking[]
  readonly secrets: readonly string[]
}

type Index = ReturnType<typeof indexOf>

/** Everything about a recording but what its tapes hold; of each of these how many bytes they take, and how long it was. */
function indexOf(recording: Recording, texts: readonly Buffer[]) {
  const { beginning, hasBodies, asked, gist, conversation, plan, tools, hearsays, gotCalls, gotBeats, tapes } =
    recording
  const { notes, usage, finish, firstByteMs, contentType, ending } = recording
  const { secrets: _, ...begun } = beginning
  const requests: Request[] = []

  /** Its place among all of them: usually there is only one. */
  function placeOf(request: Request): number {
    const before = requests.indexOf(request)
    return before === -1 ? requests.push(request) - 1 : before
  }

  return {
    begun,
    hasBodies,
    asked: { ...asked, requests: asked.requests.map(placeOf) },
    facts: { gist, conversation, plan, tools, notes, usage, finish, firstByteMs, contentType },
    ending: ending && { ...ending, notes: [...ending.notes], error: ending.error && failureOf(ending.error) },
    hearsays: hearsays.map(({ question, choice, calls, beats, ...hearsay }) => ({
      question: question && {
        request: placeOf(question.request),
        corrected: question.corrected && placeOf(question.corrected),
      },
      choice,
      calls: calls.map(({ index, id, name }) => ({ index, id, name })),
      beats: beats.toJSON(),
      facts: {
        tools: hearsay.tools,
        atMs: hearsay.atMs,
        length: hearsay.length,
        calledAt: hearsay.calledAt,
        finish: hearsay.finish,
        failure: hearsay.failure,
      },
    })),
    gotCalls: gotCalls.map(({ json: _json, ...call }) => call),
    gotBeats: gotBeats.toJSON(),
    requests: requests.map(({ faults: _faults, ...request }) => request),
    tapes: tapes.map(({ length }, nth) => [texts[nth]?.length ?? 0, length] as const),
  }
}

const failureOf = ({ code, message }: { readonly code: string; readonly message: string }) => ({ code, message })

export function keep(recording: Recording): Kept {
  const texts = recording.tapes.map(({ text }) => Buffer.from(text))
  const index = Buffer.from(JSON.stringify(indexOf(recording, texts)))
  return {
    summary: toSummary(recording),
    bytes: Buffer.concat([index, ...texts]),
    indexLength: index.length,
    askings: recording.hearsays.map(({ asking }) => asking),
    secrets: recording.beginning.secrets,
  }
}

/** The recording as it was. */
export function recall({ bytes, indexLength, askings, secrets }: Kept): Recording {
  const index = JSON.parse(bytes.toString('utf8', 0, indexLength)) as Index
  const { asked, hearsays, gotCalls, requests, tapes } = index
  const beginning: Beginning = { ...index.begun, secrets }
  const recording = new Recording(beginning, {
    now: () => beginning.at,
    hasBodies: index.hasBodies,
    mostLength: Number.POSITIVE_INFINITY,
    conversationOf: () => index.facts.conversation ?? '',
    onChange: () => undefined,
    onEnd: () => undefined,
  })
  Object.assign(recording, index.facts)
  recording.asked = { ...asked, requests: asked.requests.flatMap((place) => requests[place] ?? []) }
  recording.ending = index.ending
  recording.gotBeats = new Beats(index.gotBeats)
  for (const { choice, index: place, id, name, isComplete } of gotCalls)
    recording.addCall(choice, place, id, name).isComplete = isComplete
  for (const [nth, { question, choice, calls, beats, facts }] of hearsays.entries()) {
    const asking = askings[nth]
    if (asking === undefined) continue
    const hearsay = recording.addHearsay(asking, question && questionOf(question, requests), choice)
    Object.assign(hearsay, facts, { beats: new Beats(beats) })
    for (const { index: place, id, name } of calls) hearsay.addCall(place, id).name = name
  }
  let at = indexLength
  for (const [nth, tape] of recording.tapes.entries()) {
    const [size, length] = tapes[nth] ?? [0, 0]
    tape.restore(bytes.toString('utf8', at, at + size), length)
    at += size
  }
  return recording
}

function questionOf(
  { request, corrected }: { readonly request: number; readonly corrected?: number | undefined },
  requests: readonly Request[],
): Question | undefined {
  const asked = requests[request]
  if (asked === undefined) return undefined
  return { request: asked, ...(corrected !== undefined && { corrected: requests[corrected] }) }
}
