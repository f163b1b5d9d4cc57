import type { Node } from '../schema/node.ts'
import type { Outcome } from './json.ts'
import { ignore, type Pen } from './pen.ts'
import { moreOf, peek, type Source, type Step, standsAny } from './source.ts'
import { readUntil } from './value.ts'
import { readYamlKey } from './yaml.ts'

/** What all readers of one YAML body share. */
export interface Body {
  readonly source: Source
  readonly node: Node
  readonly pen: Pen
  readonly closers: readonly string[]
  /** Whether the answer is over and was not cut off: its end then closes what lacks its closer. */
  readonly endedWell: () => boolean
  /** How far the members are indented. */
  readonly base: number
  /** The members read so far. */
  readonly seen: Set<string>
  /** What was noted as repaired: a text of a thousand lines needs one note. */
  readonly repaired: Set<string>
}

export function noteRepair({ pen, repaired }: Body, detail: string): void {
  if (!repaired.has(detail)) pen.note('arguments_repaired', detail)
  repaired.add(detail)
}

/** The beginning of a line. Of a `member` and a `text` the rest is still to be read; a `blank` line is taken whole. */
export interface Line {
  readonly kind: 'member' | 'text' | 'blank' | 'closer' | 'end'
  readonly space: string
  /** What was taken of it after its indentation. */
  readonly text: string
  readonly key: string
}

/** Where reading goes on after a member: at the line of the next, unless that was all. */
export type Next = Line | Outcome

export const tab = 9
export const newline = 10
export const closer = 60
export const carriageReturn = 13
export const blank = 32
export const quote = 34
export const hash = 35

const colon = 58
const longestKey = 256

/** The characters a run of text stops at; `<` is always one of them. */
function createStops(characters: string): Uint8Array {
  const stops = new Uint8Array(128)
  for (const character of `${characters}<`) stops[character.charCodeAt(0)] = 1
  return stops
}

/**
 * Passes on text up to one of `stops`, up to the closer of the call, or up to the end. Returns the code of the stop, which
 * is left unread; `closer` or -1 for the others.
 */
function* readRun({ source, closers }: Body, stops: Uint8Array, push: (text: string) => void): Step<number> {
  const fast = (chunk: string): boolean => {
    for (let i = 0; i < chunk.length; i++) if (stops[chunk.charCodeAt(i)] === 1) return false
    push(chunk)
    return true
  }
  for (;;) {
    const { text } = source
    let at = source.at
    while (at < text.length && stops[text.charCodeAt(at)] !== 1) at++
    if (at > source.at) push(text.slice(source.at, at))
    source.at = at
    if (at === text.length) {
      if (!(yield* moreOf(source, fast))) return -1
      continue
    }
    const code = text.charCodeAt(at)
    if (code !== closer || (yield* standsAny(source, closers))) return code
    push('<')
    source.at++
  }
}

/** Whether a key, among lines that are not as they should be, begins a member: the schema has it and it is still to come. */
export function isAwaited({ node, seen }: Body, key: string): boolean {
  return node.hasProperty(key) && !seen.has(key)
}

const lineStops = createStops('\n')

/** Passes on the rest of a line and takes its end; what ended it, as `readRun` says it. */
export function* readRest(body: Body, push: (text: string) => void): Step<number> {
  const stop = yield* readRun(body, lineStops, push)
  if (stop === newline) body.source.at++
  return stop
}

/** Whether nothing but a comment follows on this line. Takes nothing; `before` is what was taken last. */
export function* endsLine({ source, closers }: Body, before: string): Step<boolean> {
  const code = yield* peek(source)
  if (code === -1 || code === newline || code === carriageReturn) return true
  if (code === hash) return /[ \t]$/.test(before)
  return code === closer && (yield* standsAny(source, closers))
}

/** Reads on to the end of a body that makes no sense. */
export function* skipBody({ source, closers }: Body): Step<Outcome> {
  return (yield* readUntil(source, '<', () => standsAny(source, closers), ignore)) ? 'stuck' : 'cut'
}

/** Spaces and tabs. */
export function* readBlanks(source: Source): Step<string> {
  let blanks = ''
  for (;;) {
    const code = yield* peek(source)
    if (code !== blank && code !== tab) return blanks
    blanks += source.text.charAt(source.at)
    source.at++
  }
}

/** Begins a line: its indentation and, unless that is deeper than a member's, its key. */
export function* readLine(body: Body): Step<Line> {
  const { source } = body
  const space = yield* readIndent(source)
  const code = yield* peek(source)
  if (code === newline) {
    source.at++
    return { kind: 'blank', space, text: '', key: '' }
  }
  if (code === carriageReturn) {
    source.at++
    if ((yield* peek(source)) !== newline) return { kind: 'text', space, text: '\r', key: '' }
    source.at++
    return { kind: 'blank', space, text: '', key: '' }
  }
  if (code === -1) return { kind: body.endedWell() ? 'closer' : 'end', space, text: '', key: '' }
  if (code === closer && (yield* standsAny(source, body.closers))) return { kind: 'closer', space, text: '', key: '' }
  if (space.length > body.base) return { kind: 'text', space, text: '', key: '' }
  return yield* readKey(body, space)
}

/** A line is indented by spaces, or by tabs; a tab after spaces belongs to the text. */
function* readIndent(source: Source): Step<string> {
  const first = yield* peek(source)
  if (first !== blank && first !== tab) return ''
  let space = ''
  while ((yield* peek(source)) === first) {
    let at = source.at
    while (at < source.text.length && source.text.charCodeAt(at) === first) at++
    space += source.text.slice(source.at, at)
    source.at = at
  }
  return space
}

const keyStops = createStops(':#\n')

/** Reads a key and its colon; where there is none, as much of the line as it takes to see that. */
export function* readKey(body: Body, space: string): Step<Line> {
  const { source } = body
  let text = ''
  const push = (piece: string): void => void (text += piece)
  if (!cannotBeginKey(yield* peek(source))) {
    while (text.length < longestKey) {
      const stop = yield* readRun(body, keyStops, push)
      if (stop !== colon && stop !== hash) break
      if (stop === hash && /[ \t]$/.test(text) && !/^["']/.test(text)) break
      text += String.fromCharCode(stop)
      source.at++
      if (stop !== colon) continue
      const code = yield* peek(source)
      const isSpaced = code === blank || code === tab || (yield* endsLine(body, ''))
      const key = keyOf(text.slice(0, -1).trimEnd(), isSpaced)
      if (key !== undefined) return { kind: 'member', space, text, key }
    }
  }
  return { kind: 'text', space, text, key: '' }
}

function cannotBeginKey(code: number): boolean {
  return '[]{},&*!|>%@`#<'.includes(String.fromCharCode(code))
}

/** The key that this is, before a colon with or without a space after it. */
function keyOf(text: string, spaced: boolean): string | undefined {
  if (/^"(?:[^"\\]|\\.)*"$|^'(?:[^']|'')*'$/.test(text)) return readYamlKey(text)
  return !spaced || text === '' || /^["']|^[-?:](?:\s|$)/.test(text) ? undefined : text
}
