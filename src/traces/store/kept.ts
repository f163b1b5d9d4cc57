import type { Asking } from '../../turn/observer.ts'
import type { Summary } from '../exchange.ts'
import type { Recorded } from '../recording/recording.ts'
import { toSummary } from '../telling/tell.ts'

/** A recording put away: one piece of memory, and the few things that cannot be made of bytes again. */
export interface Kept {
  readonly summary: Summary
  /** The recording as JSON without its texts, and behind it the texts in their order. */
  readonly bytes: Buffer
  readonly indexLength: number
  readonly askings: readonly Asking[]
  readonly secrets: readonly string[]
}

/** Of each text how many bytes it takes, and how long it was. */
type Sizes = readonly (readonly [bytes: number, length: number])[]

export function keep(recording: Recorded): Kept {
  const { texts, beginning, ...facts } = recording
  const { secrets, ...begun } = beginning
  const parts = texts.map(({ text }) => Buffer.from(text))
  const sizes: Sizes = texts.map(({ length }, nth) => [parts[nth]?.length ?? 0, length])
  const index = Buffer.from(JSON.stringify({ ...facts, beginning: begun, sizes }))
  return {
    summary: toSummary(recording),
    bytes: Buffer.concat([index, ...parts]),
    indexLength: index.length,
    askings: recording.attempts.map(({ asking }) => asking),
    secrets,
  }
}

/** The recording as it was. */
export function recall({ bytes, indexLength, askings, secrets }: Kept): Recorded {
  const index = JSON.parse(bytes.toString('utf8', 0, indexLength)) as Omit<Recorded, 'texts'> & {
    readonly sizes: Sizes
  }
  const { sizes, ...facts } = index
  let at = indexLength
  const texts = sizes.map(([size, length]) => {
    at += size
    return { text: bytes.toString('utf8', at - size, at), length }
  })
  const attempts = facts.attempts.map((attempt, nth) => ({ ...attempt, asking: askings[nth] ?? attempt.asking }))
  return { ...facts, beginning: { ...facts.beginning, secrets }, attempts, texts }
}
