import { type FailureCode, GatewayError, joinFailures } from '../../errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { withoutUndefined } from '../../protocol/without-undefined.ts'

/** Reads one value or throws the failure that names its path. Checks compose: `optional(array(text))`. */
export type Check<T> = (value: unknown, path: string) => T

export function fail(code: FailureCode, message: string, path: string): never {
  throw new GatewayError(code, message, { param: path })
}

/** Reads on after a failure, so that one answer can tell of them all. */
export interface FailureCollector {
  /** What was read. After a failure it is nothing, and never seen: `settle` throws. */
  read<T>(read: () => T): T
  settle(): void
}

const maxGathered = 12

export function collectFailures(): FailureCollector {
  const failures: GatewayError[] = []
  return {
    read<T>(read: () => T): T {
      try {
        return read()
      } catch (thrown) {
        if (!(thrown instanceof GatewayError)) throw thrown
        failures.push(thrown)
        if (failures.length >= maxGathered) throw joinFailures(failures)
        return undefined as T
      }
    },
    settle() {
      if (failures.length > 0) throw joinFailures(failures)
    },
  }
}

/** Some agents retry a permanent failure whose text holds one of these, so what a client sent is not quoted if it does. */
export const retryBait = /429|50[0-4]|524|time.?out|rate.?limit|server.?error|overloaded|too many requests/i

/** A client's own word in quotes, short enough to read; what would set off a retry is left out. */
export function quoted(value: string): string {
  if (retryBait.test(value)) return 'the given value'
  return `'${value.length > 80 ? `${value.slice(0, 80)}…` : value}'`
}

function butGot(value: number, words: (shown: string) => string): string {
  return retryBait.test(String(value)) ? '.' : `, but got ${words(String(value))} instead.`
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal number'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

export function wrongType(value: unknown, path: string, expected: string): never {
  if (value === undefined) missing(path)
  fail('invalid_type', `Invalid type for '${path}': expected ${expected}, but got ${kindOf(value)} instead.`, path)
}

export function missing(path: string, remedy = ''): never {
  fail('missing_required_parameter', `Missing required parameter: '${path}'.${remedy}`, path)
}

function listed(names: readonly string[]): string {
  const words = names.map((name) => `'${name}'`)
  if (words.length < 3) return words.join(' and ')
  return `${words.slice(0, -1).join(', ')}, and ${words.at(-1)}`
}

export const text: Check<string> = (value, path) =>
  typeof value === 'string' ? value : wrongType(value, path, 'a string')

export const filledText: Check<string> = (value, path) => {
  const read = text(value, path)
  if (read === '') {
    const rule = 'empty string. Expected a string with minimum length 1, but got an empty string instead.'
    fail('invalid_value', `Invalid '${path}': ${rule}`, path)
  }
  return read
}

export const flag: Check<boolean> = (value, path) =>
  typeof value === 'boolean' ? value : wrongType(value, path, 'a boolean')

export const object: Check<JsonObject> = (value, path) =>
  isJsonObject(value) ? value : wrongType(value, path, 'an object')

export function decimal(minimum: number, maximum: number): Check<number> {
  return (value, path) => {
    if (typeof value !== 'number') wrongType(value, path, 'a decimal')
    return inRange(value, path, 'decimal', minimum, maximum)
  }
}

export function integer(minimum: number, maximum = Number.MAX_SAFE_INTEGER): Check<number> {
  return (value, path) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) wrongType(value, path, 'an integer')
    return inRange(value, path, 'integer', minimum, maximum)
  }
}

function inRange(value: number, path: string, kind: string, minimum: number, maximum: number): number {
  if (value >= minimum && value <= maximum) return value
  const rule =
    value < minimum
      ? `${kind} below minimum value. Expected a value >= ${minimum}`
      : `${kind} above maximum value. Expected a value <= ${maximum}`
  fail('invalid_value', `Invalid '${path}': ${rule}${butGot(value, (shown) => shown)}`, path)
}

export function oneOf<const T extends string>(...names: readonly T[]): Check<T> {
  return (value, path) => {
    const read = text(value, path)
    const found = names.find((name) => name === read)
    if (found !== undefined) return found
    fail('invalid_value', `Invalid value: ${quoted(read)}. Supported values are: ${listed(names)}.`, path)
  }
}

interface ArrayOptions {
  readonly min?: number
  readonly max?: number
}

export function array<T>(item: Check<T>, options: ArrayOptions = {}): Check<T[]> {
  const { min = 0, max = Number.POSITIVE_INFINITY } = options
  return (value, path) => {
    if (!Array.isArray(value)) wrongType(value, path, 'an array')
    if (value.length < min) {
      const rule = `empty array. Expected an array with minimum length ${min}, but got an empty array instead.`
      fail('empty_array', `Invalid '${path}': ${rule}`, path)
    }
    if (value.length > max) {
      const got = butGot(value.length, (shown) => `an array with length ${shown}`)
      const rule = `array too long. Expected an array with maximum length ${max}${got}`
      fail('array_above_max_length', `Invalid '${path}': ${rule}`, path)
    }
    const gathering = collectFailures()
    const items = value.map((entry, index) => gathering.read(() => item(entry, `${path}[${index}]`)))
    gathering.settle()
    return items
  }
}

/** A string of at most `max` characters. */
export function shortText(max: number): Check<string> {
  return (value, path) => {
    const read = filledText(value, path)
    if (read.length <= max) return read
    const got = butGot(read.length, (shown) => `a string with length ${shown}`)
    const rule = `string too long. Expected a string with maximum length ${max}${got}`
    fail('string_above_max_length', `Invalid '${path}': ${rule}`, path)
  }
}

/** Null is how many clients write "not given". */
export function optional<T>(check: Check<T>): Check<T | undefined> {
  return (value, path) => (value === undefined || value === null ? undefined : check(value, path))
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** Without the fields that are undefined: absent and undefined are different. */
export function defined<T extends object>(fields: T): Defined<T> {
  return withoutUndefined(fields) as Defined<T>
}
