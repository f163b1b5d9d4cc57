import { peek, take, takeRun } from './literals.ts'
import { ignore, type Pen } from './pen.ts'
import { known, yes } from './running.ts'
import type { Source, Step } from './source.ts'
import { readUntil } from './value.ts'

/** White space as JSON has it, with comments and other white space taken out of it. */
export function readGap(source: Source, pen: Pen): Step<string> {
  const { text, at } = source
  let end = at
  while (end < text.length && isJsonSpace(text.charCodeAt(end))) end++
  const isPlain = end < text.length && text.charCodeAt(end) !== 47 && !isOddSpace(text.charCodeAt(end))
  if (!isPlain) return readOddGap(source, pen)
  source.at = end
  return end === at ? none : known(text.slice(at, end))
}

const none = known('')

function* readOddGap(source: Source, pen: Pen): Step<string> {
  let gap = ''
  for (let isOdd = false; ; ) {
    gap += (yield* takeRun(source, Infinity, (code) => !isJsonSpace(code))) ?? ''
    const code = yield* peek(source)
    if (isOddSpace(code)) {
      source.at++
      if (!isOdd) pen.note('json_repaired', 'white space')
      isOdd = true
    } else {
      if (code !== 47 || !(yield* skipComment(source))) return gap
      pen.note('json_repaired', 'comment')
    }
  }
}

function isJsonSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9
}

/** White space that JSON knows nothing of: models copy it from documents. */
function isOddSpace(code: number): boolean {
  if (code < 160) return code === 11 || code === 12
  return (
    code === 160 ||
    code === 0xfeff ||
    code === 0x3000 ||
    (code >= 0x2000 && /\s|\u200b/.test(String.fromCharCode(code)))
  )
}

function* skipComment(source: Source): Step<boolean> {
  if (yield* take(source, '/*')) yield* readUntil(source, '*', () => take(source, '*/'), ignore)
  else if (!(yield* take(source, '//'))) return false
  else if (yield* readUntil(source, '\n\r', () => yes, ignore)) source.at++
  return true
}
