import { z } from 'zod'

/**
 * What fields of the configuration file are made of. The `error` of a field says what is allowed,
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

const durationUnits = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const sizeUnits = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 } as const

export const durationPattern = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/
export const sizePattern = /^(\d+(?:\.\d+)?)(b|kb|mb|gb)$/i

/** A checked duration in milliseconds: `90s`, `30m`, `1h`; a bare number counts seconds. */
export function toMilliseconds(duration: string | number): number {
  if (typeof duration === 'number') return Math.round(duration * 1000)
  const [, amount, unit] = durationPattern.exec(duration) ?? []
  return Math.round(Number(amount) * durationUnits[unit as keyof typeof durationUnits])
}

/** A checked size in bytes: `512kb`, `32mb`, in steps of 1024; a bare number counts bytes. */
export function toBytes(size: string | number): number {
  if (typeof size === 'number') return size
  const [, amount, unit] = sizePattern.exec(size) ?? []
  return Math.round(Number(amount) * sizeUnits[unit?.toLowerCase() as keyof typeof sizeUnits])
}

type Unit = keyof typeof inUnit

const inUnit = {
  Ms: toMilliseconds,
  Bytes: toBytes,
  Share: (percent: number) => percent / 100,
} as const

/** What there is to say of a field beside its schema. */
interface Traits {
  readonly unit?: Unit
  readonly restart?: boolean
}

const traits = z.registry<Traits>()

function withUnit<Name extends Unit, Field extends z.ZodType>(
  unit: Name,
  field: Field,
): z.core.$ZodBranded<Field, Name> {
  const branded = field.brand<Name>() as unknown as z.core.$ZodBranded<Field, Name>
  traits.add(branded, { unit })
  return branded
}

/** Those of a field, and of the one that its default or `optional` was put around. */
function traitsOf(field: unknown): Traits {
  return field instanceof z.ZodType ? { ...traitsOf(innerOf(field)), ...traits.get(field) } : {}
}

function innerOf(field: z.ZodType): unknown {
  return 'innerType' in field.def ? field.def.innerType : undefined
}

export const truth = z.boolean({ error: 'true or false' })

export const duration = withUnit(
  'Ms',
  z
    .union(
      [z.string().regex(durationPattern, { error: durationWords, abort: true }), z.number({ error: durationWords })],
      { error: durationWords },
    )
    .refine((value) => toMilliseconds(value) > 0 && toMilliseconds(value) <= longestTimerMs, { error: durationWords }),
)

/** A duration that may be none at all. */
export const pause = withUnit(
  'Ms',
  z
    .union([z.string().regex(durationPattern, { error: durationWords }), z.number({ error: durationWords })], {
      error: durationWords,
    })
    .refine((value) => toMilliseconds(value) >= 0 && toMilliseconds(value) <= longestTimerMs, { error: durationWords }),
)

export const size = withUnit(
  'Bytes',
  z
    .union([z.string().regex(sizePattern, { error: sizeWords, abort: true }), z.int({ error: sizeWords })], {
      error: sizeWords,
    })
    .refine((value) => toBytes(value) > 0, { error: sizeWords }),
)

export const percent = withUnit('Share', wholeNumber(1, 100))

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

/** What the program works with: `drain_delay: 5s` in the file is `drainDelayMs: 5000` in the settings. */
export type SettingsOf<File> = {
  readonly [Key in keyof File & string as `${CamelCase<Key>}${UnitOf<File[Key]>}`]: UnitOf<File[Key]> extends ''
    ? File[Key]
    : number
}

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

type UnitOf<Value> = Value extends z.core.$brand<infer Name extends Unit> ? Name : ''

/** The settings a checked part of the file means, by the fields it was checked with. */
export function settingsOf<Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
  file: object,
): SettingsOf<z.output<z.ZodObject<Shape>>> {
  const settings = Object.entries(file).map(([key, value]) => {
    const name = key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    const unit = traitsOf(schema.shape[key]).unit
    return unit === undefined ? [name, value] : [`${name}${unit}`, inUnit[unit](value)]
  })
  return Object.fromEntries(settings) as SettingsOf<z.output<z.ZodObject<Shape>>>
}

/** The paths of the keys whose change only a restart takes up. */
export function restartKeys(schema: z.ZodObject): readonly (readonly string[])[] {
  return Object.entries(schema.shape).flatMap(([key, field]) => {
    if (traitsOf(field).restart === true) return [[key]]
    const inner = field instanceof z.ZodType ? innerOf(field) : undefined
    return inner instanceof z.ZodObject ? restartKeys(inner).map((path) => [key, ...path]) : []
  })
}

/** A field whose change only a restart takes up; its description says so. */
export function untilRestart<Field extends z.ZodType>(field: Field): Field {
  const described = field.describe(`${field.description ?? ''} A change needs a restart.`)
  traits.add(described, { restart: true })
  return described
}
