import { peek } from './literals.ts'
import type { Pen } from './pen.ts'
import { known, more } from './running.ts'
import type { Source, Step } from './source.ts'

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
  let isOdd = false
  for (;;) {
    const start = source.at
    while (source.at < source.text.length && isJsonSpace(source.text.charCodeAt(source.at))) source.at++
    gap += source.text.slice(start, source.at)
    if (source.at >= source.text.length) {
      if (!(yield* more(source))) return gap
      continue
    }
    const code = source.text.charCodeAt(source.at)
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
  while (source.text.length - source.at < 2) {
    if (source.ended) return false
    yield
  }
  const second = source.text.charCodeAt(source.at + 1)
  if (second !== 47 && second !== 42) return false
  source.at += 2
  return second === 47 ? yield* skipLine(source) : yield* skipBlock(source)
}

function* skipLine(source: Source): Step<boolean> {
  for (;;) {
    const code = yield* peek(source)
    if (code === -1) return true
    source.at++
    if (code === 10 || code === 13) return true
  }
}

function* skipBlock(source: Source): Step<boolean> {
  const closer = '*/'
  for (;;) {
    const end = source.text.indexOf(closer, source.at)
    if (end >= 0) {
      source.at = end + closer.length
      return true
    }
    source.at = Math.max(source.at, source.text.length - closer.length + 1)
    if (source.ended) {
      source.at = source.text.length
      return true
    }
    yield
  }
}
