import { Pieces } from './pieces.ts'
import { apart, known, more, need, yes } from './running.ts'
import type { Source, Step } from './source.ts'
import { toJsonText } from './value.ts'

const quoteCode = 34
const backslash = 92
const simpleEscapes = new Uint8Array(128)
for (const letter of '"\\/bfnrt') simpleEscapes[letter.charCodeAt(0)] = 1
const none = new Uint8Array(0)

/** What backslashes mean in a string. JSON's own escapes mean the same everywhere, unless all of them are kept. */
export interface Escapes {
  readonly areKept?: boolean
  /** Reads another one, which stands next; its first letter is there. */
  read(source: Source, write: (json: string) => void): Step<void>
}

/**
 * The inside of a string after its opening quote, written as the inside of a JSON string. Its first quote is its last, unless
 * `ends` knows better. False when the end never came.
 */
export function readString(
  source: Source,
  quote: number,
  write: (json: string) => void,
  escapes = jsonEscapes,
  ends: () => Step<boolean> = () => yes,
): Step<boolean> {
  const simple = escapes.areKept === true ? none : simpleEscapes
  const fast = (chunk: string): boolean => {
    const isPlain = endOfPlain(chunk, 0, quote, simple) === chunk.length
    if (!isPlain && (chunk.includes('\\') || chunk.includes(String.fromCharCode(quote)))) return false
    write(isPlain ? chunk : toJsonText(chunk))
    return true
  }
  function* readInside(): Step<boolean> {
    for (;;) {
      const text = source.text
      const at = endOfPlain(text, source.at, quote, simple)
      if (at > source.at) write(text.slice(source.at, at))
      source.at = at
      if (at === text.length) {
        if (!(yield* more(source, fast))) return false
        continue
      }
      const code = text.charCodeAt(at)
      if (code === quote) {
        const isLast = yield* ends()
        source.at++
        if (isLast) return true
        write(code === quoteCode ? '\\"' : String.fromCharCode(code))
      } else if (code === backslash) {
        yield* need(source, 2)
        const pair = source.text.slice(source.at, source.at + 2)
        if (simple[pair.charCodeAt(1)] === 1) {
          write(pair)
          source.at += 2
        } else yield* escapes.read(source, write)
      } else {
        let end = at + 1
        while (end < text.length && text.charCodeAt(end) !== quote && text.charCodeAt(end) !== backslash) end++
        write(toJsonText(text.slice(at, end)))
        source.at = end
      }
    }
  }
  return apart(source, readInside())
}

/** The inside of a short string whose quote stands next, as that of one of JSON; undefined when the end never came. */
export function readWhole(source: Source, quote: number): Step<string | undefined> {
  const { text, at } = source
  const end = endOfPlain(text, at + 1, quote)
  source.at++
  if (text.charCodeAt(end) !== quote) return gather(source, quote)
  source.at = end + 1
  return known(text.slice(at + 1, end))
}

function* gather(source: Source, quote: number): Step<string | undefined> {
  const inside = new Pieces()
  return (yield* readString(source, quote, (json) => inside.push(json))) ? inside.toString() : undefined
}

/** Where a string ends that begins here, is all there and could stand in JSON as it is; -1 for any other. */
export function endOfString(text: string, from: number): number {
  const end = text.charCodeAt(from) === quoteCode ? endOfPlain(text, from + 1, quoteCode) : text.length
  return text.charCodeAt(end) === quoteCode ? end + 1 : -1
}

/** Where text that is already the inside of a JSON string ends, from `from` on. */
function endOfPlain(text: string, from: number, quote: number, simple = simpleEscapes): number {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === backslash) {
      if (simple[text.charCodeAt(at + 1)] !== 1) return at
      at += 2
    } else if (isSpecial(code, quote)) return at
    else at++
  }
  return at
}

function isSpecial(code: number, quote: number): boolean {
  return code === quote || code === quoteCode || code === backslash || code < 32 || (code >= 0xd800 && code <= 0xdfff)
}

const jsonEscapes: Escapes = {
  *read(source, write) {
    const next = source.text.charAt(source.at + 1)
    const length = next === 'u' ? 6 : next === 'x' ? 4 : 2
    yield* need(source, length)
    const written = source.text.slice(source.at, source.at + length)
    if (next === "'" || next === '`') write(next)
    else if (/^\\(?:u[\da-f]{4}|x[\da-f]{2})$/i.test(written)) write(`\\u${written.slice(2).padStart(4, '0')}`)
    else {
      // `\d` in a pattern the model forgot to escape twice: the backslash is meant.
      if (next !== '') write('\\\\')
      source.at++
      return
    }
    source.at += length
  },
}

/** What the inside of a JSON string says. */
export function decode(json: string): string {
  return json.includes('\\') ? (JSON.parse(`"${json}"`) as string) : json
}
