import { peek } from './literals.ts'
import type { Pen } from './pen.ts'
import { more } from './running.ts'
import { isSpace, type Source, type Step } from './source.ts'

/** White space, with comments taken out of it. */
export function* readGap(source: Source, pen: Pen): Step<string> {
  let gap = ''
  for (;;) {
    const start = source.at
    while (source.at < source.text.length && isSpace(source.text.charCodeAt(source.at))) source.at++
    gap += source.text.slice(start, source.at)
    if (source.at < source.text.length) {
      if (source.text.charCodeAt(source.at) !== 47) return gap
      if (!(yield* skipComment(source))) return gap
      pen.note('json_repaired', 'comment')
    } else if (!(yield* more(source))) return gap
  }
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
