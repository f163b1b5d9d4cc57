import type { Pen } from './pen.ts'
import { peek, type Step } from './source.ts'
import { toJsonText } from './value.ts'
import { type Body, hash, isAwaited, type Next, newline, noteRepair, readLine, readRest } from './yaml-lines.ts'

/** How a block of text says it is to be read: `|`, `|-`, `|+`, `|2`. */
export interface BlockHeader {
  readonly chomping: string
  readonly indent: number | undefined
}

export function toBlockHeader(text: string): BlockHeader | undefined {
  const header = /^\|(?:([-+]?)([1-9]?)|([1-9])([-+]))[ \t]*$/.exec(text)
  if (header === null) return undefined
  const digit = header[2] || header[3]
  return { chomping: header[1] || header[4] || '', indent: digit ? Number(digit) : undefined }
}

/**
 * The lines of a block, written as the inside of a JSON string while they arrive. Ends at the first line that is a member.
 * Lines that should be indented and are not belong to the text; after one of those only a key the schema still awaits
 * makes a member.
 */
export function* readBlock(body: Body, header: BlockHeader): Step<Next> {
  const { pen, base } = body
  const { push, endLine } = createLineWriter(pen)
  let indent = header.indent === undefined ? undefined : base + header.indent
  let loose = false
  let begun = false
  /** Line ends that may turn out to be the last, and comments that may turn out to be text. */
  let held = ''
  let aside = ''
  const close = (next: Next): Next => {
    if (header.chomping === '+') pen.write(toJsonText(held === '' && begun ? '\n' : held))
    else if (header.chomping === '' && begun) pen.write('\\n')
    pen.write('"')
    return next
  }
  for (;;) {
    const line = yield* readLine(body)
    if (line.kind === 'end') return 'cut'
    if (line.kind === 'closer') return close('complete')
    const isText = loose || (!begun && body.node.properties.length > 0)
    if (line.kind === 'member' && (!isText || isAwaited(body, line.key))) return close(line)
    const extra = indent === undefined ? '' : line.space.slice(indent)
    if (line.kind === 'blank' && (extra === '' || !begun)) {
      if (aside === '') held += '\n'
      else aside += '\n'
      continue
    }
    if (!loose && line.kind !== 'blank' && line.space.length < (indent ?? base + 1)) {
      if (begun && line.text === '' && (yield* peek(body.source)) === hash) {
        if ((yield* readRest(body, (text) => void (aside += text))) === newline) aside += '\n'
        continue
      }
      loose = true
      noteRepair(body, 'text not indented')
    }
    indent ??= line.space.length
    begun = true
    pen.write(toJsonText(held + aside))
    held = ''
    aside = ''
    push(line.space.slice(indent) + line.text)
    if (line.kind === 'blank') held = '\n'
    else if ((yield* readRest(body, push)) === newline) held = '\n'
    endLine(held !== '')
  }
}

/** A carriage return before a line's end belongs to the end. */
function createLineWriter(pen: Pen): { push(text: string): void; endLine(whole: boolean): void } {
  let held = ''
  return {
    push(text) {
      const rest = held + text
      held = rest.endsWith('\r') ? '\r' : ''
      pen.write(toJsonText(held === '' ? rest : rest.slice(0, -1)))
    },
    endLine(whole) {
      if (!whole) pen.write(toJsonText(held))
      held = ''
    },
  }
}
