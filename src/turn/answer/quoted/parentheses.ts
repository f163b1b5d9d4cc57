/** Longer expressions are not looked through. */
export const maxCode = 16_384

const pieces = /\\.|"""|'''|["'()[\]{}]/gs

/** Behind the parenthesis that closes the one at `from`, strings left aside; -1 when none does. */
export function endOfParentheses(text: string, from: number): number {
  let depth = 0
  let quote = ''
  const code = text.slice(from, from + maxCode)
  for (const { 0: piece, index } of code.matchAll(pieces)) {
    if (quote !== '') {
      if (piece.startsWith(quote)) quote = ''
    } else if (/^["']/.test(piece)) quote = piece
    else if ('([{'.includes(piece)) depth++
    else if (')]}'.includes(piece) && --depth === 0) return from + index + 1
  }
  return -1
}
