import { z } from 'zod'
import { durationPattern, sizePattern, toBytes, toMilliseconds } from './units.ts'

/**
 * What fields of the configuration file are made of, for all who declare some. The `error` of a field says what is allowed,
 * as the end of "expected …"; `problems.ts` adds what was found.
 */

/** A kind of upstream, as far as the file goes. */
export interface UpstreamFields {
  /** Its name in the file. */
  readonly kind: string
  /** The fields of its part of the file, `kind` aside. */
  fields(names: Names): z.core.$ZodLooseShape
  /** What the file means, where that is not what it says. A `key` is already read where the file only names it. */
  toSettings?(file: object, reading: Reading): object
}

/** Names that are data: they come with the program and not with the schema. */
export interface Names {
  readonly flavours: readonly string[]
}

/** What reading one part of the file may need. */
export interface Reading {
  /** A field that the schema allows and that is wrong all the same. */
  problem(field: string, message: string): void
  /** A file named in the configuration; undefined when there is none. */
  readFile(path: string): string | undefined
}

export const urlWords = 'an http:// or https:// address'
const durationWords = 'a duration such as 500ms, 5s, 30m or 1h (a bare number counts seconds), at most 24d'
const sizeWords = 'a size such as 512kb or 32mb (a bare number counts bytes)'
/** Timers beyond this fire at once. */
const longestTimerMs = 2 ** 31 - 1

export const truth = z.boolean({ error: 'true or false' })

export const duration = z
  .union(
    [z.string().regex(durationPattern, { error: durationWords, abort: true }), z.number({ error: durationWords })],
    {
      error: durationWords,
    },
  )
  .refine((value) => toMilliseconds(value) > 0 && toMilliseconds(value) <= longestTimerMs, { error: durationWords })

/** A duration that may be none at all. */
export const pause = z
  .union([z.string().regex(durationPattern, { error: durationWords }), z.number({ error: durationWords })], {
    error: durationWords,
  })
  .refine((value) => toMilliseconds(value) >= 0 && toMilliseconds(value) <= longestTimerMs, { error: durationWords })

export const size = z
  .union([z.string().regex(sizePattern, { error: sizeWords, abort: true }), z.int({ error: sizeWords })], {
    error: sizeWords,
  })
  .refine((value) => toBytes(value) > 0, { error: sizeWords })

/** An object that refuses unknown keys. The error of such an issue carries the known keys, for `problems.ts` to word. */
export function strict<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape).filter((key) => !key.startsWith('$'))
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? known.join(' ') : `an object with ${known.join(', ')}`),
  })
}

export function named<Value extends z.ZodType>(value: Value, words: string) {
  return z.record(z.string().min(1, { error: 'a name' }), value, { error: words })
}

export function text(words: string) {
  return z.string({ error: words }).min(1, { error: words })
}

/** `words` say what may be chosen where there is too much to name it all. */
export function choice<const Choices extends readonly [string, ...string[]]>(choices: Choices, words?: string) {
  return z.enum(choices, { error: words ?? `one of ${choices.join(', ')}` })
}

export function wholeNumber(minimum: number, maximum: number) {
  const error = `a whole number from ${minimum} to ${maximum}`
  return z.int({ error }).min(minimum, { error }).max(maximum, { error })
}
