import type { SharedBytes, WireBody } from '../../protocol/memory/shared-bytes.ts'
import type { Request } from '../../protocol/request.ts'
import type { Asking, Question } from '../../turn/witness.ts'
import { type Beginning, Recording } from '../recording/recording.ts'
import { Beats, type Tape } from '../recording/tape.ts'
import type { Wire } from '../recording/wire.ts'
import type { Arena, Place } from './arena.ts'
import { packRequest, unpackRequest } from './packed-request.ts'

/** A recording put away: bytes, and the few things that cannot be made of bytes again. */
export interface Kept {
  readonly id: string
  readonly at: number
  /** Characters of what is known beside what was said. */
  readonly factsLength: number
  readonly place: Place
  /** Bytes that others keep, too, in the order they are needed: of bodies, and of requests. */
  readonly shared: readonly SharedBytes[]
  readonly told: readonly SharedBytes[]
  readonly askings: readonly Asking[]
  readonly secrets: readonly string[]
  /** Requests so long that to print them would keep others waiting: these stay what they are. */
  readonly large: readonly Request[]
  readonly largeBytes: number
}

/** A request longer than this stays what it is. */
const longBytes = 1_000_000
/** Shorter bytes are copied: to know where they are takes as much room. */
const shortBytes = 64
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const comma = 0x2c
const commaBytes = Uint8Array.of(comma)

/** How a body is put together: so many bytes of its own, the next that are shared, or a comma. */
const nextShared = 0
const commaAlone = -1
type Layout = readonly number[] | { readonly text: number }

interface WireFacts {
  readonly length: number
  readonly layout: Layout
}

type Facts = ReturnType<typeof factsOf>

/** Everything about a recording but what was said, as JSON can be made of it. */
function factsOf(recording: Recording, packer: Packer) {
  const { beginning, hasBodies, asked, gist, conversation, plan, tools, hearsays, gotCalls, gotBeats } = recording
  const { notes, usage, finish, firstByteMs, contentType, ending, askedBody } = recording
  const { secrets: _, ...begun } = beginning
  return {
    begun,
    hasBodies,
    model: asked.model,
    streaming: asked.streaming,
    asked: packer.wire(askedBody),
    requests: asked.requests.map(packer.request),
    gist,
    tools,
    conversation,
    plan,
    hearsays: hearsays.map((hearsay) => {
      const {
        question,
        tools: offered,
        choice,
        atMs,
        calls,
        beats,
        body,
        length,
        calledAt,
        finish: end,
        failure,
      } = hearsay
      return {
        question: question && {
          request: packer.request(question.request),
          corrected: question.corrected && packer.request(question.corrected),
        },
        tools: offered,
        choice,
        atMs,
        calls: calls.map(({ index, id, name }) => ({ index, id, name })),
        beats: beats.toJSON(),
        body: packer.wire(body),
        length,
        calledAt,
        finish: end,
        failure,
      }
    }),
    gotCalls: gotCalls.map(({ choice, index, id, name, isComplete }) => ({ choice, index, id, name, isComplete })),
    gotBeats: gotBeats.toJSON(),
    notes,
    usage,
    finish,
    firstByteMs,
    contentType,
    ending: ending && { ...ending, notes: [...ending.notes], error: ending.error && failureOf(ending.error) },
    packed: packer.packed,
    tapes: packer.tapes(recording.tapes),
  }
}

const failureOf = ({ code, message }: { readonly code: string; readonly message: string }) => ({ code, message })

class Packer {
  readonly shared: SharedBytes[] = []
  readonly told: SharedBytes[] = []
  readonly pieces: Uint8Array[] = []
  /** What was asked and said, one after the other. */
  text = ''
  readonly packed: object[] = []
  readonly #requests: Request[] = []
  readonly isLarge: boolean

  constructor(isLarge: boolean) {
    this.isLarge = isLarge
  }

  get large(): readonly Request[] {
    return this.isLarge ? this.#requests : []
  }

  /** Its place among all of them: mostly there is only one. */
  readonly request = (request: Request): number => {
    const before = this.#requests.indexOf(request)
    if (before !== -1) return before
    if (!this.isLarge) this.packed.push(packRequest(request, this.told))
    return this.#requests.push(request) - 1
  }

  wire({ body, length }: Wire): WireFacts {
    if (typeof body === 'string') {
      this.text += body
      return { length, layout: { text: body.length } }
    }
    return { length, layout: this.#layOut(body) }
  }

  #layOut(body: Exclude<WireBody, string>): readonly number[] {
    const layout: number[] = []
    for (const piece of body) {
      if (piece instanceof Uint8Array || piece.bytes.length < shortBytes) {
        const bytes = piece instanceof Uint8Array ? piece : piece.bytes
        // No length of a piece may be 0: that stands for one that is shared.
        if (bytes.length === 0) continue
        const isComma = bytes.length === 1 && bytes[0] === comma
        layout.push(isComma ? commaAlone : bytes.length)
        if (!isComma) this.pieces.push(bytes)
      } else {
        layout.push(nextShared)
        this.shared.push(piece)
      }
    }
    return layout
  }

  /** Of each tape how long it was, and how much of it is kept. */
  tapes(tapes: readonly Tape[]): readonly number[] {
    const lengths: number[] = []
    for (const tape of tapes) {
      const { text } = tape
      this.text += text
      lengths.push(tape.length, text.length)
    }
    return lengths
  }
}

export function keep(recording: Recording, arena: Arena): Kept {
  const { beginning, askedBody, hearsays } = recording
  const packer = new Packer(askedBody.length > longBytes)
  const facts = JSON.stringify(factsOf(recording, packer))
  return {
    id: beginning.id,
    at: beginning.at,
    factsLength: facts.length,
    place: arena.write(facts + packer.text, packer.pieces),
    shared: packer.shared,
    told: packer.told,
    askings: hearsays.map(({ asking }) => asking),
    secrets: beginning.secrets,
    large: packer.large,
    largeBytes: packer.isLarge ? askedBody.length : 0,
  }
}

/** The recording as it was, with all that was said; or without, where only the facts matter. */
export function recall(kept: Kept, what: 'all' | 'facts'): Recording {
  const { place, factsLength, secrets, askings } = kept
  const { block, from, middle } = place
  // A character has three bytes at most, and some of those behind the facts do no harm.
  const end = what === 'all' ? middle : Math.min(middle, from + factsLength * 3)
  const text = decoder.decode(block.bytes.subarray(from, end))
  const facts = JSON.parse(text.slice(0, factsLength)) as Facts
  const beginning: Beginning = { ...facts.begun, secrets }
  const recording = new Recording(beginning, {
    now: () => beginning.at,
    hasBodies: facts.hasBodies,
    mostLength: Number.POSITIVE_INFINITY,
    conversationOf: () => facts.conversation ?? '',
    onChange: () => undefined,
    onEnd: () => undefined,
  })
  fillFacts(recording, facts, askings)
  if (what === 'all') fillWords(recording, facts, kept, text.slice(factsLength))
  return recording
}

function fillFacts(recording: Recording, facts: Facts, askings: readonly Asking[]): void {
  const { model, streaming, gist, tools, conversation, plan, notes, usage, finish, firstByteMs, contentType } = facts
  Object.assign(recording, { gist, tools, conversation, plan, notes, usage, finish, firstByteMs, contentType })
  recording.asked = { model, streaming, requests: [] }
  recording.ending = facts.ending
  recording.gotBeats = new Beats(facts.gotBeats)
  for (const { choice, index, id, name, isComplete } of facts.gotCalls) {
    recording.addCall(choice, index, id, name).isComplete = isComplete
  }
  for (const [nth, told] of facts.hearsays.entries()) {
    const { tools: offered, choice, atMs, calls, beats, length, calledAt, finish: end, failure } = told
    const asking = askings[nth]
    if (asking === undefined) continue
    const hearsay = recording.addHearsay(asking, undefined, choice)
    Object.assign(hearsay, { tools: offered, atMs, beats: new Beats(beats), length, calledAt, finish: end, failure })
    for (const { index, id, name } of calls) hearsay.addCall(index, id).name = name
  }
}

function fillWords(recording: Recording, facts: Facts, { place, shared, told, large }: Kept, text: string): void {
  const { block, middle, to } = place
  const bytes = block.bytes.subarray(middle, to)
  const nextOf = createNext(shared)
  const nextTold = createNext(told)
  let at = 0
  let byteAt = 0

  const takeText = (length: number): string => text.slice(at, (at += length))
  const takePiece = (size: number): Uint8Array => {
    if (size === nextShared) return nextOf().bytes
    return size === commaAlone ? commaBytes : bytes.subarray(byteAt, (byteAt += size))
  }
  const takeWire = (wire: Wire, { layout, length }: WireFacts): void => {
    wire.restore('text' in layout ? takeText(layout.text) : layout.map(takePiece), length)
  }

  takeWire(recording.askedBody, facts.asked)
  for (const [nth, { body }] of facts.hearsays.entries()) {
    const hearsay = recording.hearsays[nth]
    if (hearsay !== undefined) takeWire(hearsay.body, body)
  }
  for (const [nth, tape] of recording.tapes.entries()) {
    tape.restore(takeText(facts.tapes[nth * 2 + 1] ?? 0), facts.tapes[nth * 2] ?? 0)
  }
  const requests: readonly Request[] =
    large.length > 0 ? large : facts.packed.map((packed) => unpackRequest(packed, nextTold))
  recording.asked = { ...recording.asked, requests: facts.requests.flatMap((place) => requests[place] ?? []) }
  for (const [nth, { question }] of facts.hearsays.entries()) {
    const hearsay = recording.hearsays[nth]
    if (hearsay !== undefined && question !== undefined) hearsay.question = questionOf(question, requests)
  }
}

function questionOf(
  { request, corrected }: { readonly request: number; readonly corrected?: number | undefined },
  requests: readonly Request[],
): Question | undefined {
  const asked = requests[request]
  if (asked === undefined) return undefined
  return { request: asked, ...(corrected !== undefined && { corrected: requests[corrected] }) }
}

function createNext(shared: readonly SharedBytes[]): () => SharedBytes {
  let nth = 0
  return () => {
    const next = shared[nth++]
    if (next === undefined) throw new Error('a recording lost a part of it')
    return next
  }
}
