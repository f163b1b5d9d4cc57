import { look, more } from './running.ts'
import type { Source, Step } from './source.ts'

/** The next character's code without taking it, or -1 at the end. */
export function* peek(source: Source): Step<number> {
  if (source.at >= source.text.length && !(yield* more(source))) return -1
  return source.text.charCodeAt(source.at)
}

/** Skips white space; the next character's code, or -1 at the end. */
export function* skipSpace(source: Source): Step<number> {
  while (!source.passSpace()) if (!(yield* more(source))) return -1
  return source.text.charCodeAt(source.at)
}

/** Whether `literal` stands next. Waits only as long as what is there could still become it. */
export function* stands(source: Source, literal: string): Step<boolean> {
  while (mayStand(source, literal)) {
    if (source.text.length - source.at >= literal.length) return true
    if (source.ended) return false
    source.awaits = (chunk) => {
      const have = source.text.length - source.at
      return have + chunk.length < literal.length && literal.startsWith(chunk, have)
    }
    yield
  }
  return false
}

/** Whether what is at hand could be `literal` or its beginning: spares the readers below where it could not. */
export function mayStand({ text, at }: Source, literal: string): boolean {
  return mayStandAt(text, at, literal)
}

/** The same at any place of a text. */
export function mayStandAt(text: string, at: number, literal: string): boolean {
  const length = Math.min(literal.length, text.length - at)
  for (let i = 0; i < length; i++) if (text.charCodeAt(at + i) !== literal.charCodeAt(i)) return false
  return true
}

/** Takes `literal` if it stands next. */
export function* take(source: Source, literal: string): Step<boolean> {
  if (!(yield* stands(source, literal))) return false
  source.at += literal.length
  return true
}

/** Takes the first of `literals` that stands next. */
export function* takeAny(source: Source, literals: readonly string[]): Step<string | undefined> {
  for (const literal of literals) if (mayStand(source, literal) && (yield* take(source, literal))) return literal
  return undefined
}

export function* standsAny(source: Source, literals: readonly string[]): Step<boolean> {
  if ((yield* peek(source)) === -1) return false
  for (const literal of literals) if (mayStand(source, literal) && (yield* stands(source, literal))) return true
  return false
}

/** Whether one of `literals` stands after white space; `atEnd` where nothing does. Takes nothing. */
export function* standsAfterSpace(source: Source, literals: readonly string[], atEnd: boolean): Step<boolean> {
  return yield* look(source, () => standsBehindSpace(source, literals, atEnd))
}

function* standsBehindSpace(source: Source, literals: readonly string[], atEnd: boolean): Step<boolean> {
  return (yield* skipSpace(source)) === -1 ? atEnd : yield* standsAny(source, literals)
}

/**
 * Takes characters up to one that `stops`, which is left unread; undefined where there are more than `most`, and then one
 * more than that is taken, however many there are.
 */
export function* takeRun(source: Source, most: number, stops: (code: number) => boolean): Step<string | undefined> {
  let run = ''
  for (;;) {
    const { text } = source
    const end = Math.min(text.length, source.at + most + 1 - run.length)
    let at = source.at
    while (at < end && !stops(text.charCodeAt(at))) at++
    run += text.slice(source.at, at)
    source.at = at
    if (run.length > most) return undefined
    if (at < text.length || !(yield* more(source))) return run
  }
}
