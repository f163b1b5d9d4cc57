import { digits } from '../grammar/characters.ts'
import { characters, choice, empty, literal, optional, type Rule, repeat, sequence } from '../grammar/tree.ts'

const digit = characters(digits)
/** More digits than any number needs, and fewer than a model in a loop would write. */
const maxDigits = 40

export interface Bounds {
  readonly least?: number
  readonly most?: number
  /** The bound itself is left out. */
  readonly above?: number
  readonly below?: number
}

export function integerRule(bounds: Bounds): Rule {
  const least = larger(
    floorless(bounds.least, Math.ceil),
    bounds.above === undefined ? undefined : Math.floor(bounds.above) + 1,
  )
  const most = smaller(
    floorless(bounds.most, Math.floor),
    bounds.below === undefined ? undefined : Math.ceil(bounds.below) - 1,
  )
  if (least === undefined && most === undefined) return sequence(optional(literal('-')), natural(0))
  return choice(
    ...(least !== undefined && least >= 0 ? [] : [negative(most, least)]),
    ...(most !== undefined && most < 0 ? [] : [natural(Math.max(0, least ?? 0), most)]),
  )
}

function negative(most: number | undefined, least: number | undefined): Rule {
  const from = most === undefined ? 1 : Math.max(1, -most)
  const to = least === undefined ? undefined : -least
  return to !== undefined && to < from ? choice() : sequence(literal('-'), natural(from, to))
}

/** Whether bounds can be told digit by digit. */
export function canSay({ least, most, above, below }: Bounds): boolean {
  return [least, most, above, below].every((bound) => bound === undefined || Math.abs(bound) <= 1e15)
}

function floorless(bound: number | undefined, round: (value: number) => number): number | undefined {
  return bound === undefined ? undefined : round(bound)
}

function larger(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined ? right : right === undefined ? left : Math.max(left, right)
}

function smaller(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined ? right : right === undefined ? left : Math.min(left, right)
}

/** A natural number between two, without leading zeros. */
function natural(from: number, to?: number): Rule {
  if (to !== undefined && to < from) return choice()
  const options: Rule[] = []
  const shortest = String(from).length
  const longest = to === undefined ? shortest : String(to).length
  for (let length = shortest; length <= longest; length++) {
    const low = length === shortest ? String(from) : `1${'0'.repeat(length - 1)}`
    const high = to !== undefined && length === longest ? String(to) : '9'.repeat(length)
    options.push(between(low, high))
  }
  if (to === undefined) options.push(sequence(range('1', '9'), repeat(digit, shortest, maxDigits - 1)))
  if (to === undefined && from === 0)
    return choice(literal('0'), sequence(range('1', '9'), repeat(digit, 0, maxDigits - 1)))
  return choice(...options)
}

/** Digits of the same number as these, and not outside of them. */
function between(low: string, high: string): Rule {
  if (low === '') return empty
  const rest = low.length - 1
  if (/^0*$/.test(low) && /^9*$/.test(high)) return repeat(digit, low.length, low.length)
  const [first = '0', last = '9'] = [low.charAt(0), high.charAt(0)]
  if (rest === 0) return range(first, last)
  if (first === last) return sequence(literal(first), between(low.slice(1), high.slice(1)))
  const isLowWhole = /^0*$/.test(low.slice(1))
  const isHighWhole = /^9*$/.test(high.slice(1))
  const from = isLowWhole ? Number(first) : Number(first) + 1
  const to = isHighWhole ? Number(last) : Number(last) - 1
  return choice(
    ...(isLowWhole ? [] : [sequence(literal(first), between(low.slice(1), '9'.repeat(rest)))]),
    ...(from > to ? [] : [sequence(range(String(from), String(to)), repeat(digit, rest, rest))]),
    ...(isHighWhole ? [] : [sequence(literal(last), between('0'.repeat(rest), high.slice(1)))]),
  )
}

function range(from: string, to: string): Rule {
  return from === to ? literal(from) : characters([[from.charCodeAt(0), to.charCodeAt(0)]])
}

const fraction = sequence(literal('.'), repeat(digit, 1, maxDigits))
/** Never so large that it would be infinite. */
const exponent = sequence(
  characters([
    [69, 69],
    [101, 101],
  ]),
  choice(sequence(optional(literal('+')), repeat(digit, 1, 2)), sequence(literal('-'), repeat(digit, 1, 3))),
)

export function numberRule(bounds: Bounds): Rule {
  const least = larger(bounds.least, bounds.above)
  const most = smaller(bounds.most, bounds.below)
  if (least === undefined && most === undefined) {
    return sequence(optional(literal('-')), natural(0), optional(fraction), optional(exponent))
  }
  const low = { value: least, isOpen: least !== undefined && least === bounds.above }
  const high = { value: most, isOpen: most !== undefined && most === bounds.below }
  const isBelow = low.value === undefined || low.value < 0
  const isAbove = high.value === undefined || high.value > 0 || (high.value === 0 && !high.isOpen)
  return choice(
    ...(isBelow ? [sequence(literal('-'), positive(mirrored(high), mirrored(low)))] : []),
    ...(isAbove ? [positive(isBelow ? { value: 0, isOpen: false } : low, high)] : []),
  )
}

interface End {
  readonly value: number | undefined
  readonly isOpen: boolean
}

/** The bound of the other sign; what lies beyond zero bounds nothing. */
function mirrored({ value, isOpen }: End): End {
  return value === undefined || value > 0 ? { value: undefined, isOpen: false } : { value: -value, isOpen }
}

function positive(low: End, high: End): Rule {
  const [lowWhole, lowPart] = split(low.value ?? 0)
  if (high.value === undefined) {
    return choice(startingAt(lowWhole, lowPart, low.isOpen), sequence(natural(lowWhole + 1), optional(fraction)))
  }
  const [highWhole, highPart] = split(high.value)
  if (lowWhole === highWhole) {
    // Between two fractions of one whole number only the upper one is told, unless there is none.
    return lowPart !== '' && highPart === ''
      ? startingAt(lowWhole, lowPart, low.isOpen)
      : endingAt(highWhole, highPart, high.isOpen)
  }
  return choice(
    startingAt(lowWhole, lowPart, low.isOpen),
    ...(highWhole - lowWhole > 1 ? [sequence(natural(lowWhole + 1, highWhole - 1), optional(fraction))] : []),
    endingAt(highWhole, highPart, high.isOpen),
  )
}

/** Whether a range is told by `positive` with one of its bounds only. */
export function isNarrow({ least, most, above, below }: Bounds): boolean {
  const low = larger(least, above)
  const high = smaller(most, below)
  if (low === undefined || high === undefined) return false
  const [lowWhole, lowPart] = split(Math.abs(low))
  const [highWhole, highPart] = split(Math.abs(high))
  return Math.sign(low) * Math.sign(high) > 0 && lowWhole === highWhole && lowPart !== '' && highPart !== ''
}

function split(value: number): readonly [whole: number, part: string] {
  const written = value.toFixed(15).replace(/0+$/, '')
  return [Math.floor(value), written.slice(written.indexOf('.') + 1)]
}

function startingAt(whole: number, part: string, isOpen: boolean): Rule {
  const start = literal(String(whole))
  if (part === '' && !isOpen) return sequence(start, optional(fraction))
  return sequence(start, literal('.'), partAtLeast(part, isOpen))
}

function partAtLeast(part: string, isOpen: boolean): Rule {
  if (part === '') {
    const more = repeat(digit, 0, maxDigits)
    return isOpen ? sequence(repeat(literal('0'), 0, maxDigits), range('1', '9'), more) : more
  }
  const first = Number(part.charAt(0))
  return choice(
    sequence(literal(String(first)), partAtLeast(part.slice(1), isOpen)),
    ...(first < 9 ? [sequence(range(String(first + 1), '9'), repeat(digit, 0, maxDigits))] : []),
  )
}

function endingAt(whole: number, part: string, isOpen: boolean): Rule {
  if (part === '') {
    return isOpen
      ? choice()
      : sequence(literal(String(whole)), optional(sequence(literal('.'), repeat(literal('0'), 1, maxDigits))))
  }
  return sequence(literal(String(whole)), optional(sequence(literal('.'), partAtMost(part, isOpen, true))))
}

function partAtMost(part: string, isOpen: boolean, isFirst: boolean): Rule {
  const end = isFirst ? [] : [empty]
  if (part === '') return isOpen ? choice(...end.slice(1)) : repeat(literal('0'), 0, maxDigits)
  const first = Number(part.charAt(0))
  const deeper = part.length === 1 && isOpen ? choice() : partAtMost(part.slice(1), isOpen, false)
  return choice(
    ...end,
    ...(deeper.kind === 'choice' && deeper.options.length === 0 ? [] : [sequence(literal(String(first)), deeper)]),
    ...(first > 0 ? [sequence(range('0', String(first - 1)), repeat(digit, 0, maxDigits))] : []),
  )
}
