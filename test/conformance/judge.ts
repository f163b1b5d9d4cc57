import { createReader } from '../../src/engine/reader.ts'
import { type Answer, fold } from '../../src/protocol/fold.ts'
import { parseExactly, type Reading, toReading, type Vector } from './vector.ts'

/** What became of one vector. */
export interface Verdict extends Comparison {
  /** The first cutting that read differently from the whole. */
  readonly cutting: string | undefined
}

export interface Comparison {
  readonly vector: Vector
  readonly calls: boolean
  /** Undefined when the vector has no content. */
  readonly content: boolean | undefined
  readonly got: {
    readonly calls: readonly Called[]
    readonly content: string
    readonly reasoning: string
    readonly notes: readonly string[]
  }
}

export interface Called {
  readonly name: string
  readonly arguments: unknown
}

const randomCuttings = 20

export function judge(vector: Vector): Verdict {
  const reading = toReading(vector)
  if (reading === undefined) return { ...compare(vector, fold([])), calls: false, content: false, cutting: undefined }
  const answer = read(reading, [reading.pieces.whole])
  return { ...compare(vector, answer), cutting: differingCut(reading, JSON.stringify(answer)) }
}

export function compare(vector: Vector, answer: Pick<Answer, 'content' | 'reasoning' | 'notes' | 'calls'>): Comparison {
  const calls = answer.calls.map((call) => ({ name: call.name, arguments: parseExactly(call.arguments) }))
  return {
    vector,
    calls: isSame(vector, calls),
    content:
      vector.content_known === false ? undefined : answer.content.trim() === (vector.expected_content ?? '').trim(),
    got: {
      calls,
      content: answer.content,
      reasoning: answer.reasoning,
      notes: answer.notes.map(({ kind, detail }) => `${kind} ${detail ?? ''}`.trim()),
    },
  }
}

function read({ options }: Reading, pieces: Iterable<string>): Answer {
  let ids = 0
  const reader = createReader({ ...options, newId: () => `id-${++ids}` })
  const events = [...pieces].flatMap((piece) => [...reader.push(piece)])
  return fold([...events, ...reader.end('stop')])
}

function isSame({ expected_calls: expected, partial_args: partial }: Vector, calls: readonly Called[]): boolean {
  if (partial !== true)
    return (
      JSON.stringify(calls) === JSON.stringify(expected.map(({ name, arguments: json }) => ({ name, arguments: json })))
    )
  return (
    calls.length === expected.length &&
    calls.every(({ name, arguments: json }, index) => {
      const wanted = expected[index]
      const members = Object.entries((wanted?.arguments ?? {}) as Record<string, unknown>)
      const own = json as Record<string, unknown>
      return (
        name === wanted?.name && members.every(([key, value]) => JSON.stringify(own[key]) === JSON.stringify(value))
      )
    })
  )
}

function differingCut(reading: Reading, expected: string): string | undefined {
  const { whole, recorded } = reading.pieces
  const differs = (pieces: Iterable<string>) => JSON.stringify(read(reading, pieces)) !== expected
  if (recorded !== undefined && recorded.join('') === whole && differs(recorded)) return 'recorded chunks'
  if (differs(whole.split(''))) return 'one character at a time'
  const random = createRandom(whole.length)
  for (let i = 0; i < randomCuttings; i++) {
    const pieces = cut(whole, random)
    if (differs(pieces)) return JSON.stringify(pieces)
  }
  return undefined
}

function cut(text: string, random: () => number): readonly string[] {
  const longest = 1 + Math.floor(random() * 24)
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const length = 1 + Math.floor(random() * longest)
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return pieces
}

/** Mulberry32: cuttings are the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
