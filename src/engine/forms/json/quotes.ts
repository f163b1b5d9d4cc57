import { readGap } from '../../text/gap.ts'
import { charsOf, mayStandAt, peek, skipSpace, standsAny, takeAny, takeRun } from '../../text/literals.ts'
import { nowhere, type Place, type Quoted } from '../../text/pen.ts'
import { look } from '../../text/running.ts'
import { isSpace, type Source, type Step } from '../../text/source.ts'
import { peekAfter } from '../../text/strings.ts'
import { findProperty } from '../members.ts'

const comma = 44
const colon = 58
const backslash = 92
export const maxKey = 128

/**
 * Whether the quote that stands next ends a value: what must follow one follows. In an object that is the next key with
 * its colon, after an odd number of quotes that should have been escaped one the schema knows; or the end of the object, and
 * then no quote.
 */
export function* endsValue(source: Source, { place, closers, inner }: Quoted): Step<boolean> {
  const isDamaged = inner > 0 || place?.isDamaged === true
  const next = yield* peekAfter(source)
  if (next === -1) return true
  if (!mayEnd(source, next, place, closers)) return false
  // Whatever comes after the comma of a list.
  if (next === comma && place?.array !== false && !isDamaged) return true
  // Inside an object a list cannot end: `[ "$a" = "b" ]`.
  if (next === 93 && isDamaged && place?.array === false) return false
  return yield* look(source, function* () {
    source.at++
    const isSpaced = isSpace(yield* peek(source))
    yield* skipSpace(source)
    if (next === comma) {
      source.at++
      return yield* beginsMember(source, place, isDamaged, inner)
    }
    if (next === 125 || next === 93) return yield* endsObject(source, isDamaged)
    if (next === 47) return (yield* takeAny(source, ['//', '/*'])) !== undefined
    if ((yield* standsAny(source, closers)) || place === undefined) return true
    // A comma that was forgotten.
    return isSpaced && (yield* beginsMember(source, place, isDamaged, inner))
  })
}

/** Whether a quote before `next`, white space aside, may end a value, as far as what is at hand tells. */
export function mayEnd(
  { text, at }: Source,
  next: number,
  place: Place | undefined,
  closers: readonly string[],
): boolean {
  const isNear = text.charCodeAt(at + 1) === next
  // Quotes in a row are not the end of one string and the beginning of another.
  if (isNear && (next === 34 || next === 39)) return false
  const sign = String.fromCharCode(next)
  if (',}]/'.includes(sign)) return true
  // Where a comma was forgotten there is white space.
  if (isNear && place !== undefined) return closers.some((closer) => mayStandAt(text, at + 1, closer))
  return '<["\''.includes(sign) || closers.some((closer) => closer.startsWith(sign))
}

/**
 * Whether the quote that stands next ends a string that an operator or another string joins to more, as in code:
 * `"a" + b`. Nobody can tell that from one long string with quotes in it.
 */
export function isJoined(source: Source): Step<boolean> {
  return look(source, function* () {
    source.at++
    const isSpaced = isSpace(yield* peek(source))
    const next = yield* skipSpace(source)
    if (next === 34 || next === 39) return isSpaced
    return (yield* takeAny(source, operators)) !== undefined
  })
}

const operators = ['+', '||', '??']

/** Whether a member, or an item, or the end of what holds them follows. */
function* beginsMember(source: Source, place: Place | undefined, isDamaged: boolean, inner: number): Step<boolean> {
  yield* readGap(source, nowhere)
  const code = yield* peek(source)
  if (code === -1 || code === 125 || code === 93) return true
  if (place?.array !== false) return !isDamaged || isItemStart(code)
  const key = yield* takeKey(source, code, isDamaged ? maxKey : Infinity)
  if (key === undefined) return (yield* peek(source)) === -1
  if ((yield* skipSpace(source)) !== colon) return source.ended && source.at >= source.text.length
  return isMember(place, inner, key)
}

/** Quotes in pairs are words in quotes, and what follows them as a member is one; after an odd one it must be declared. */
export function isMember({ node }: Place, inner: number, key: string): boolean {
  return inner % 2 === 0 || node.properties.length === 0 || findProperty(node, key) !== undefined
}

export const isItemStart = charsOf(/["{[\dtfn-]/i)

/** A key, quoted or bare. Its escapes stay: no property the schema knows has any. */
function* takeKey(source: Source, quote: number, most: number): Step<string | undefined> {
  if (quote !== 34 && quote !== 39) return yield* takeRun(source, most, (code) => !isWord(code))
  source.at++
  for (let key = ''; ; ) {
    const run = yield* takeRun(source, most, (code) => code === quote || code === backslash || code === 10)
    const code = yield* peek(source)
    if (run === undefined || code === -1 || code === 10) return undefined
    source.at++
    key += run
    if (code === quote) return key
    if ((yield* peek(source)) === -1) return undefined
    key += `\\${source.text.charAt(source.at)}`
    source.at++
  }
}

/** Whether brackets close what is open here: no quote comes after them, nor a parenthesis, which code has there. */
function* endsObject(source: Source, isDamaged: boolean): Step<boolean> {
  for (;;) {
    const isSpaced = isSpace(yield* peek(source))
    const code = yield* skipSpace(source)
    if (code === 41) return !isDamaged
    if (code !== 125 && code !== 93) return (code !== 34 && code !== 39) || (isSpaced && !isDamaged)
    source.at++
  }
}

const isWord = charsOf(/[\w$-]/)
