import { apart, moreOf } from './running.ts'
import type { Source, Step } from './source.ts'

/** Text as the inside of a JSON string. */
export function toJsonText(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 32 || code === 34 || code === 92 || (code >= 0xd800 && code <= 0xdfff))
      return JSON.stringify(text).slice(1, -1)
  }
  return text
}

/** Passes text on, a newline at its end only when asked to: it may belong to what follows. */
export function createTail(write: (text: string) => void): { push(text: string): void; flush(): void } {
  let held = ''
  return {
    push(text) {
      const last = text.charCodeAt(text.length - 1)
      if (held === '' && last !== 10 && last !== 13) return write(text)
      const rest = held + text
      const tail = rest.endsWith('\r\n') ? 2 : rest.endsWith('\n') || rest.endsWith('\r') ? 1 : 0
      held = rest.slice(rest.length - tail)
      if (rest.length > tail) write(rest.slice(0, rest.length - tail))
    },
    flush() {
      if (held !== '') write(held)
      held = ''
    },
  }
}

/** Passes text on without the layout around it; `flush` passes on a newline at its end that turned out to be none of it. */
interface Layout {
  push(text: string): void
  flush(): void
}

/** Passes text on without a newline at its start and, with that, one at its end: the layout around a value, not the value. */
export function createTrimmer(write: (text: string) => void): Layout {
  const tail = createTail(write)
  let isInline: boolean | undefined
  let held = ''
  return {
    push(text) {
      if (isInline !== undefined) return tail.push(text)
      const rest = held + text
      held = rest === '\r' ? rest : ''
      if (held !== '') return
      const inner = rest.replace(/^\r?\n/, '')
      isInline = inner === rest
      tail.push(inner)
    },
    flush() {
      if (isInline === true) tail.flush()
    },
  }
}

/** Passes on a value without what is only the layout around it. */
export function createLayout(indent: number, write: (text: string) => void): Layout {
  return indent === 0 ? createTrimmer(write) : createDedenter(indent, write)
}

const maxMargin = 256

/**
 * Like a trimmer, for a value whose tags stand `indent` deep: if it is on lines of its own, these are as deep at least,
 * and the depth of the first is not the value's but its layout, as are the blanks before the closing tag.
 */
function createDedenter(indent: number, write: (text: string) => void): Layout {
  const inline = createTrimmer(write)
  let hasLines: boolean | undefined
  let margin: number | undefined
  let isFirst = true
  let held = ''
  return {
    flush: () => inline.flush(),
    push(text) {
      const rest = held + text
      held = ''
      if (hasLines === undefined && rest !== '\r') hasLines = /^\r?\n/.test(rest)
      if (hasLines === false) return inline.push(rest)
      const tail = hasLines === undefined ? 0 : rest.search(/\r?(?:\n[ \t]*)?$/)
      const isHeld = rest.length - tail < maxMargin
      held = isHeld ? rest.slice(tail) : ''
      const ready = (isHeld ? rest.slice(0, tail) : rest).replace(
        /\n([ \t]*)(?=(.?))/g,
        (_, blanks: string, next: string) => {
          if (margin === undefined && next !== '' && next !== '\r') margin = blanks.length < indent ? 0 : blanks.length
          return `\n${blanks.slice(margin ?? 0)}`
        },
      )
      const out = isFirst ? ready.replace(/^\r?\n/, '') : ready
      isFirst &&= ready === ''
      if (out !== '') write(out)
    },
  }
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Passes text on with XML's entities decoded, each once. */
export function createDecoder(write: (text: string) => void): { push(text: string): void } {
  let held = ''
  return {
    push(text) {
      if (held === '' && !text.includes('&')) return write(text)
      const rest = held + text
      const open = rest.lastIndexOf('&')
      const waits = open >= 0 && rest.length - open < 10 && !rest.includes(';', open)
      held = waits ? rest.slice(open) : ''
      const ready = waits ? rest.slice(0, open) : rest
      if (ready !== '') write(decodeEntities(ready))
    },
  }
}

export function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, decodeEntity)
}

function decodeEntity(whole: string, hex?: string, decimal?: string, name = ''): string {
  const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  if (hex !== undefined || decimal !== undefined) return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  return Object.hasOwn(entities, name) ? (entities[name] as string) : whole
}

/**
 * Reads up to something that ends the text, passing on what is surely text. `ends` is asked wherever one of `starts`
 * begins; it may take what it finds, and says whether the text is over. `passes` says how much there is plainly text, 0
 * where it does not know. False when the answer ends first.
 */
export function readUntil(
  source: Source,
  starts: string,
  ends: () => Step<boolean>,
  push: (text: string) => void,
  passes: (text: string, at: number) => number = () => 0,
): Step<boolean> {
  const first = starts.charCodeAt(0)
  const others = starts.length > 1
  const isStart = (code: number): boolean => code === first || (others && starts.includes(String.fromCharCode(code)))
  const fast = (chunk: string): boolean => {
    for (let i = 0; i < chunk.length; i++) if (isStart(chunk.charCodeAt(i))) return false
    push(chunk)
    return true
  }
  function* readText(): Step<boolean> {
    for (;;) {
      const text = source.text
      let at = source.at
      for (let length = 1; at < text.length && length > 0; at += length)
        length = isStart(text.charCodeAt(at)) ? passes(text, at) : 1
      const run = text.slice(source.at, at)
      source.at = at
      if (run !== '') push(run)
      if (at === text.length) {
        if (!(yield* moreOf(source, fast))) return false
        continue
      }
      const here = source.position
      if (yield* apart(source, ends())) return true
      // What did not end the text may have been passed on as a whole.
      if (source.position > here) continue
      push(source.text.charAt(source.at++))
    }
  }
  return apart(source, readText())
}
