/** Makes pieces of a text, some of which repeat all that went before, into what each of them adds. */
export interface Increments {
  add(piece: string): string
  /** What was still doubtful when the text ended. */
  end(): string
}

/** So much of a beginning does not come again by chance in one piece. */
const UNMISTAKABLE = 32

/**
 * Asked for increments, this service sends increments; a few models send the whole text each time, or once more at the
 * end. Early on, `a` and then `ab` may be either. The piece after it decides: a whole text begins with `ab`.
 */
export function createIncrements(): Increments {
  let said = ''
  let doubtful: string | undefined
  let manner: 'unknown' | 'increments' | 'whole' = 'unknown'

  function take(increment: string): string {
    said += increment
    return increment
  }

  function repeats(piece: string): boolean {
    return said !== '' && piece.length >= said.length && piece.startsWith(said)
  }

  function isDoubtful(piece: string): boolean {
    return manner === 'unknown' && piece.length > said.length
  }

  return {
    add(piece) {
      if (piece === '') return ''
      if (doubtful !== undefined) {
        const earlier = doubtful
        doubtful = undefined
        manner = piece.startsWith(earlier) ? 'whole' : 'increments'
        if (manner === 'increments') return take(earlier + piece)
      }
      if (repeats(piece)) {
        if (manner === 'whole' || said.length >= UNMISTAKABLE) return take(piece.slice(said.length))
        if (isDoubtful(piece)) {
          doubtful = piece
          return ''
        }
      }
      if (said !== '') manner = 'increments'
      return take(piece)
    },
    end() {
      const rest = doubtful ?? ''
      doubtful = undefined
      return take(rest)
    },
  }
}

/** What a snapshot adds to the one before it; where it differs, everything from there. */
export function createSnapshots(): (snapshot: string) => string {
  let seen = ''
  return (snapshot) => {
    let same = snapshot.startsWith(seen) ? seen.length : 0
    while (same < seen.length && seen[same] === snapshot[same]) same += 1
    seen = snapshot
    return snapshot.slice(same)
  }
}
