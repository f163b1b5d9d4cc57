import { isMap, isScalar, isSeq } from 'yaml'

/** A stretch of a file. */
interface Stretch {
  readonly from: number
  readonly to: number
}

/** What a frame shows in the place of a value. */
const hidden = '…'
/** More of a line than this is not shown: with its number it fits 60 columns. */
const mostShown = 48

/**
 * The line of a file that a problem is about, with a caret below the place. It shows no value that the message does not:
 * any other may be a secret.
 */
export function printFrame(text: string, offset: number, message: string, root: unknown): string {
  const values = valuesIn(root).filter(({ from, to }) => !message.includes(text.slice(from, to)))
  return print(text, offset, values)
}

/** The same where the file cannot be parsed: of the line, only what stands before its first value. */
export function printBrokenFrame(text: string, offset: number): string {
  const { from, to } = lineAt(text, offset)
  const line = text.slice(from, to)
  const [start = ''] = /^\s*(?:-\s+)*(?:(?:[\w.$-]+|"[^"]*"|'[^']*')\s*:)?\s*/.exec(line) ?? []
  const rest = line.slice(start.length)
  return print(text, offset, /\w/.test(rest) ? [{ from: from + start.length, to }] : [])
}

function print(text: string, offset: number, values: readonly Stretch[]): string {
  const { from, to, number } = lineAt(text, offset)
  let shown = ''
  let caret: number | undefined
  let at = from
  const show = (end: number): void => {
    if (caret === undefined && offset < end) caret = shown.length + Math.max(0, offset - at)
    shown += text.slice(at, end)
    at = Math.max(at, end)
  }
  for (const value of values.toSorted((a, b) => a.from - b.from)) {
    const [start, end] = [Math.max(value.from, from), Math.min(value.to, to)]
    if (end <= at || start >= to) continue
    show(start)
    if (caret === undefined && offset < end) caret = shown.length
    shown += hidden
    at = end
  }
  show(to)
  const column = caret ?? shown.length
  const first = shown.length <= mostShown ? 0 : Math.max(0, column - mostShown / 2)
  const line = `${first > 0 ? hidden : ''}${shown.slice(first, first + mostShown)}`
  const margin = line.slice(0, column - first + (first > 0 ? 1 : 0)).replace(/[^\t]/g, ' ')
  const label = String(number)
  return `${label} | ${line}\n${' '.repeat(label.length)} | ${margin}^`
}

function lineAt(text: string, offset: number): Stretch & { readonly number: number } {
  const from = text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', offset)
  const to = end === -1 ? text.length : end
  return { from, to: text[to - 1] === '\r' ? to - 1 : to, number: text.slice(0, from).split('\n').length }
}

/** Where the values of a file stand; names of members are none. */
function valuesIn(node: unknown): readonly Stretch[] {
  if (isMap(node)) return node.items.flatMap(({ value }) => valuesIn(value))
  if (isSeq(node)) return node.items.flatMap(valuesIn)
  if (!isScalar(node) || node.range === undefined || node.range === null) return []
  return [{ from: node.range[0], to: node.range[1] }]
}
