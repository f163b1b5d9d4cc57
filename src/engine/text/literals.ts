import { known, later, look, more, no, yes } from './running.ts'
import type { Source, Step } from './source.ts'

const codes: readonly Step<number>[] = Array.from({ length: 128 }, (_, code) => known(code))
const end = known(-1)

function knownCode({ text, at }: Source): Step<number> {
  const code = text.charCodeAt(at)
  return codes[code] ?? known(code)
}

function codeAt(source: Source): Step<number> | undefined {
  if (source.at < source.text.length) return knownCode(source)
  return source.ended ? end : undefined
}

/** The next character's code without taking it, or -1 at the end. */
export function peek(source: Source): Step<number> {
  return codeAt(source) ?? later(() => codeAt(source))
}

function codeBehindSpace(source: Source): Step<number> | undefined {
  source.passSpace()
  return codeAt(source)
}

/** Skips white space; the next character's code, or -1 at the end. */
export function skipSpace(source: Source): Step<number> {
  return codeBehindSpace(source) ?? later(() => codeBehindSpace(source))
}

/** Whether `literal` stands next. Waits only as long as what is there could still become it. */
export function stands(source: Source, literal: string): Step<boolean> {
  return isNext(source, literal) ?? later(() => isNext(source, literal))
}

function isNext(source: Source, literal: string): Step<boolean> | undefined {
  if (!mayStandAt(source.text, source.at, literal)) return no
  return source.text.length - source.at >= literal.length ? yes : source.ended ? no : undefined
}

/** Whether `literal` or its beginning stands at this place: spares the readers below where it does not. */
export function mayStandAt(text: string, at: number, literal: string): boolean {
  const length = Math.min(literal.length, text.length - at)
  for (let i = 0; i < length; i++) if (text.charCodeAt(at + i) !== literal.charCodeAt(i)) return false
  return true
}

/** Takes `literal` if it stands next. */
export function take(source: Source, literal: string): Step<boolean> {
  const step = stands(source, literal)
  if (step === yes) source.at += literal.length
  return step === yes || step === no ? step : takeLater(source, literal, step)
}

function* takeLater(source: Source, literal: string, standing: Step<boolean>): Step<boolean> {
  if (!(yield* standing)) return false
  source.at += literal.length
  return true
}

/** Takes the first of `literals` that stands next. */
export function* takeAny(source: Source, literals: readonly string[]): Step<string | undefined> {
  for (const literal of literals) if (yield* take(source, literal)) return literal
  return undefined
}

export function standsAny(source: Source, literals: readonly string[]): Step<boolean> {
  return isAnyNext(source, literals) ?? later(() => isAnyNext(source, literals))
}

function isAnyNext({ text, at, ended }: Source, literals: readonly string[]): Step<boolean> | undefined {
  let isOpen = at >= text.length
  for (const literal of literals) {
    if (!mayStandAt(text, at, literal)) continue
    if (text.length - at >= literal.length) return yes
    isOpen = true
  }
  return isOpen && !ended ? undefined : no
}

/** Whether one of `literals` stands after white space. Takes nothing. */
export function standsAfterSpace(source: Source, literals: readonly string[]): Step<boolean> {
  return look(source, function* () {
    yield* skipSpace(source)
    return yield* standsAny(source, literals)
  })
}

/** Whether the answer ends inside one of `literals`, or right before it. */
export function endsInside({ text, at, ended }: Source, literals: readonly string[]): boolean {
  return ended && literals.some((literal) => literal.startsWith(text.slice(at)))
}

type Stops = (code: number) => boolean

/** Whether a character is one of these, all of ASCII: by a table, because it is asked of each of many. */
export function charsOf(pattern: RegExp): Stops {
  const table = Uint8Array.from({ length: 128 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0))
  return (code) => table[code] === 1
}

/**
 * Takes characters up to one that `stops`, which is left unread; undefined where there are more than `most`, and then one
 * more than that is taken, however many there are.
 */
export function* takeRun(source: Source, most: number, stops: Stops): Step<string | undefined> {
  let run = ''
  do {
    const { text, at } = source
    const end = Math.min(text.length, at + most - run.length + 1)
    while (source.at < end && !stops(text.charCodeAt(source.at))) source.at++
    run += text.slice(at, source.at)
    if (run.length > most) return undefined
  } while (source.at === source.text.length && (yield* more(source)))
  return run
}

/** A run of letters, digits and the signs of numbers. What means anything is far shorter than the bound; more is cut there. */
export function* readLexeme(source: Source): Step<string> {
  return (yield* takeRun(source, longestLexeme, (code) => !isLexeme(code))) ?? ''
}

const longestLexeme = 4096
const isLexeme = charsOf(/[\w$.+-]/)
