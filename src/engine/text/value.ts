import { mayStandAt, standsAny } from './literals.ts'
import { apart, more } from './running.ts'
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

/** Passes text on without the layout around it; `flush` passes on a newline at its end that turned out to be none of it. */
interface Layout {
  push(text: string): void
  flush(): void
}

const maxMargin = 256
const lastNewline = /\r?\n?$/
const lastIndent = /\r?(?:\n[ \t]*)?$/

/**
 * Passes on a value without what is only its layout: a newline at its start and, with that, one at its end. Where its tags
 * stand `indent` deep, lines of its own are as deep at least, and the depth of the first is layout, too, as are the blanks
 * before the closing tag. One that is `isInline` has no lines of its own.
 */
export function createLayout(write: (text: string) => void, indent = 0, isInline = false): Layout {
  let hasLines = isInline ? false : undefined
  let margin: number | undefined
  let isFirst = true
  let held = ''
  const dedent = (_: string, blanks: string, next: string): string => {
    if (margin === undefined && next !== '' && next !== '\r') margin = blanks.length < indent ? 0 : blanks.length
    return `\n${blanks.slice(margin ?? 0)}`
  }
  return {
    push(text) {
      if (held === '' && hasLines !== undefined && !/[\r\n]/.test(text)) return write(text)
      const rest = held + text
      if (hasLines === undefined && rest !== '\r') hasLines = /^\r?\n/.test(rest)
      const isDeep = hasLines === true && indent > 0
      const tail = hasLines === undefined ? 0 : rest.search(isDeep ? lastIndent : lastNewline)
      const isHeld = rest.length - tail < maxMargin
      held = isHeld ? rest.slice(tail) : ''
      const ready = isHeld ? rest.slice(0, tail) : rest
      const lines = isDeep ? ready.replace(/\n([ \t]*)(?=(.?))/g, dedent) : ready
      const out = isFirst && hasLines === true ? lines.replace(/^\r?\n/, '') : lines
      isFirst &&= ready === ''
      if (out !== '') write(out)
    },
    flush() {
      if (hasLines === false && held !== '') write(held)
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
 * Reads up to something that ends the text, passing on what is surely text. `ends` is asked wherever one of `marks` may
 * stand; it may take what it finds, and says whether the text is over. False when the answer ends first.
 */
export function readUntil(
  source: Source,
  marks: readonly string[],
  push: (text: string) => void,
  ends: () => Step<boolean> = () => standsAny(source, marks),
): Step<boolean> {
  const all = marks.filter((mark) => mark !== '')
  const starts = [...new Set(all.map((mark) => mark.charAt(0)))].join('')
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
      const { text } = source
      let { at } = source
      while (at < text.length && !(isStart(text.charCodeAt(at)) && all.some((mark) => mayStandAt(text, at, mark)))) at++
      const run = text.slice(source.at, at)
      source.at = at
      if (run !== '') push(run)
      if (at === text.length) {
        if (!(yield* more(source, fast))) return false
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
