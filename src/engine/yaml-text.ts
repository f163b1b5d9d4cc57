import { isJsonText } from '../schema/json-text.ts'
import { mendEscapes } from './yaml.ts'

/** Where the line after the one at `at` begins; the end of the text where there is none. */
export function nextLine(text: string, at: number): number {
  return text.indexOf('\n', at) + 1 || text.length
}

const keyLine =
  /("(?:[^"\\\n]|\\.){0,256}"|'(?:[^'\n]|''){0,256}')[ \t]*:|([^\s[\]{},&*!|>%@`#<"'][^\n]{0,255}?):(?=[ \t\r\n]|$)/y

/** The key of a member whose line begins at `at`, and where its colon ends. */
export function readKey(text: string, at: number): readonly [key: string, end: number] | undefined {
  keyLine.lastIndex = at
  const [line = '', quoted, plain = ''] = keyLine.exec(text) ?? []
  if (line === '' || /^[-?:]\s|[ \t]#/.test(plain)) return undefined
  if (quoted === undefined) return [plain.trimEnd(), at + line.length]
  const mended = mendEscapes(quoted)
  const key = isJsonText(mended) ? (JSON.parse(mended) as string) : quoted.slice(1, -1).replaceAll("''", "'")
  return [key, at + line.length]
}

const lineEnd = /(?:[ \t]*,)?(?:[ \t]*(?:\r?\n|$)|[ \t]+#)/y

/** Whether nothing but a comment, or a comma too many, follows on this line. */
export function endsLine(text: string, at: number): boolean {
  lineEnd.lastIndex = at
  return lineEnd.test(text)
}

/**
 * Where double quotes end: at the first that is not escaped and ends its line. -1 when there is none, or when quotes were
 * forgotten to be escaped so that a later one may as well be meant.
 */
export function endOfQuoted(text: string, start: number): number {
  let isEven = true
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    if (isEscaped(text, at)) continue
    if (endsLine(text, at + 1)) return isEven || text.indexOf('"', at + 1) < 0 ? at + 1 : -1
    isEven = !isEven
  }
  return -1
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charAt(first - 1) === '\\') first--
  return (at - first) % 2 === 1
}

/** Double quotes with the quotes inside escaped, and with line ends that are meant where the lines are not indented. */
export function mendQuoted(quoted: string, note: (detail: string) => void): string {
  const inner = quoted.slice(1, -1)
  const escaped = inner.replace(/\\.|"/gs, (written) => (written === '"' ? '\\"' : written))
  if (escaped !== inner) note('unescaped quote')
  const isIndented = !/\n\S/.test(inner)
  if (!isIndented) note('text not indented')
  return mendEscapes(`"${isIndented ? escaped : escaped.replace(/\r?\n/g, '\\n')}"`)
}

const blockLine = /([|>])(?:([-+]?)([1-9]?)|([1-9])([-+]))(?:[ \t]+#[^\n]*|[ \t]*)\r?(?:\n|$)/y

/** How a block says that it is to be read: `|`, `|-`, `|2`. */
export interface Block {
  readonly isFolded: boolean
  readonly chomping: string
  readonly indent: number | undefined
  /** Where its lines begin. */
  readonly start: number
}

export function readBlockHeader(text: string, at: number): Block | undefined {
  blockLine.lastIndex = at
  const header = blockLine.exec(text)
  if (header === null) return undefined
  const indent = header[3] || header[4]
  return {
    isFolded: header[1] === '>',
    chomping: header[2] || header[5] || '',
    indent: indent ? Number(indent) : undefined,
    start: at + header[0].length,
  }
}

/** The text of a block. Undefined when a line is not indented as it should be, unless that is to be overlooked. */
export function readBlock(text: string, { chomping, indent }: Block, isLoose: boolean): string | undefined {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  // What stands after the last line end is a line only if it says something.
  if (lines.at(-1)?.trim() === '') lines.pop()
  const depth = indent ?? indentOf(lines.find((line) => line.trim() !== '') ?? ' ')
  let end = 0
  let empty = 0
  let isOver = false
  for (const [i, line] of lines.entries()) {
    const isBlank = line.trim() === '' && (end === 0 || line.length <= depth)
    const isRight = depth > 0 && indentOf(line) >= depth && !isOver
    // A comment may stand below the text.
    if (!isBlank && !isRight && !isLoose && end > 0 && line.trimStart().startsWith('#')) isOver = true
    else if (!isBlank) {
      if (!isRight && !isLoose) return undefined
      end = i + 1
      empty = 0
    } else if (!isOver) empty++
  }
  const content = lines.slice(0, end).map((line) => line.slice(Math.min(depth, indentOf(line))))
  const tail = chomping === '+' ? (end > 0 ? 1 : 0) + empty : chomping === '' && end > 0 ? 1 : 0
  return content.join('\n') + '\n'.repeat(tail)
}

/** A line is indented by spaces, or by tabs; a tab after spaces belongs to the text. */
export function indentOf(line: string): number {
  return /^(?: +|\t+|)/.exec(line)?.[0].length ?? 0
}

/** The text with so much less indentation, or without what all its lines share. */
export function dedent(text: string, indent?: number): string {
  if (indent === 0 || /^\S/.test(text)) return text
  const lines = text.split('\n')
  const least = (all: number, line: string) => (line.trim() === '' ? all : Math.min(all, indentOf(line)))
  const depth = indent ?? lines.reduce(least, text.length)
  return lines.map((line) => line.slice(Math.min(depth, indentOf(line)))).join('\n')
}

/** Text as the model wrote it: one line without the blanks around it, several as they are. */
export function toRaw(text: string): string {
  if (!text.trim().includes('\n')) return text.trim()
  return /^[ \t\r]*\n/.test(text) ? dedent(text.slice(nextLine(text, 0))) : text.replace(/^ /, '')
}
