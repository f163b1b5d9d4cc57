import type { Writable } from '../../../protocol/writable.ts'

/**
 * The beginning that was decided for a model, put before what it says. Services do three things with it: they go on from
 * it, they repeat it first (llama.cpp), or their template ends it and the model begins anew. Which one shows in the first
 * characters, and until it does they wait.
 */
export interface Prefill {
  /** What the reader is to see of this piece; empty while it is open what the service does. */
  push(piece: string): string
  /** What waited when the answer ended. */
  end(): string
  /** The service said the beginning itself. */
  readonly isRepeated: boolean
  /** It is known what the service does: what comes now is read as it is. */
  readonly isSettled: boolean
}

export function createPrefill(prefill: string): Prefill {
  let opening = ''

  /** The opening as it is to be read, once that is known. */
  function settle(): string | undefined {
    const compared = compare(opening, prefill)
    // A model that says nothing but white space must not be looked at again and again.
    if (opening.length > prefill.length + mostSpace) return compared === 'equal' ? opening : prefill + opening
    if (compared === 'open') return undefined
    if (compared === 'equal' || beginsAnew(opening, prefill)) {
      begun.isRepeated = true
      return opening
    }
    return couldContinue(opening, prefill) === 'unknown' ? undefined : prefill + opening
  }

  const begun: Writable<Prefill> = {
    isRepeated: false,
    // White space is no beginning one could tell from another.
    isSettled: prefill.trim() === '',
    push(piece) {
      if (begun.isSettled) return piece
      opening += piece
      const read = settle()
      if (read === undefined) return ''
      begun.isSettled = true
      return read
    },
    end() {
      if (begun.isSettled || opening.trim() === '') return ''
      begun.isSettled = true
      // As far as it goes, it is the beginning of the beginning.
      if (compare(opening, prefill) === 'open') return opening
      return prefill + opening
    },
  }
  return begun
}

/** Whether a text begins with the prefill, white space aside: templates trim it. `open`: it may yet. */
function compare(text: string, prefill: string): 'equal' | 'open' | 'other' {
  let at = 0
  for (const wanted of prefill.replace(/\s+/g, '')) {
    while (/\s/.test(text.charAt(at))) at++
    if (at >= text.length) return 'open'
    if (!text.startsWith(wanted, at)) return 'other'
    at += wanted.length
  }
  return 'equal'
}

/** A mark that opens a call does not stand inside the call it opened; prose does not stand where JSON must. */
function beginsAnew(opening: string, prefill: string): boolean {
  const mark = /^(?:<[^\s>]+>|\[[A-Z_]+\]|[A-Z][a-z]+:)/.exec(prefill)?.[0]
  if (mark !== undefined && opening.trimStart().startsWith(mark)) return true
  return couldContinue(opening, prefill) === 'no'
}

function couldContinue(opening: string, prefill: string): 'yes' | 'no' | 'unknown' {
  const said = opening.trimStart()
  if (said === '') return 'unknown'
  // Arguments are an object, or one in a string.
  if (prefill.endsWith(':')) return /^[{["]/.test(said) ? 'yes' : 'no'
  if (!prefill.endsWith('"')) return 'yes'
  const name = /^[^"\s]*/.exec(opening)?.[0] ?? ''
  if (name.length > longestName) return 'no'
  if (name.length === opening.length) return 'unknown'
  return opening[name.length] === '"' ? 'yes' : 'no'
}

const longestName = 128
const mostSpace = 256
