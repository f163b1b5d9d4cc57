/** The candidate a mistyped word most likely stood for, or none when nothing is close. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const typed = simplified(word)
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(typed.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(typed, simplified(candidate), bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** What to do about a mistyped word: it names the nearest candidate, or says `otherwise`. */
export function didYouMean(word: string, candidates: Iterable<string>, otherwise: string): string {
  const meant = nearest(word, candidates)
  return meant === undefined ? otherwise : `Did you mean "${meant}"?`
}

/** Case and the choice of `-` or `_` are the commonest slips and cost nothing. */
function simplified(word: string): string {
  return word.slice(0, 64).toLowerCase().replaceAll('-', '_')
}

/** Levenshtein with neighbouring letters swapped counted once; gives up at `limit`. */
export function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit) return limit
  let beforePrevious: number[] = []
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      let cost = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      )
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (swapped) cost = Math.min(cost, at(beforePrevious, column - 2) + 1)
      current.push(cost)
    }
    beforePrevious = previous
    previous = current
  }
  return at(previous, right.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
