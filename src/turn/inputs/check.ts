import { matchGrammar } from '../../engine/constrain/grammar/match.ts'
import type { GrammarTree } from '../../engine/constrain/grammar/tree.ts'
import { unwrap } from './wrappings.ts'

/** What the text of a custom tool has to be. */
export interface InputCheck {
  /** The text as it was meant, where there is exactly one way to put it right; undefined where it is right, or there is none. */
  mend(text: string): string | undefined
  /** What is wrong with it, worded for the model that wrote it. */
  faults(text: string): readonly string[]
}

/** A text that fits is never changed. */
export function createGrammarCheck(tree: GrammarTree): InputCheck {
  const fits = (text: string): boolean => matchGrammar(tree, text).fits === true
  return {
    mend(text) {
      if (matchGrammar(tree, text).fits !== false) return undefined
      const meant = [...unwrap(text)].filter(fits)
      const [only] = meant
      // With or without an empty line at the end it says the same.
      return new Set(meant.map((one) => one.trim())).size === 1 ? only : undefined
    },
    faults(text) {
      const match = matchGrammar(tree, text)
      return match.fits === false ? [faultWords(text, match)] : []
    },
  }
}

const mostExpected = 12
const shownLength = 120

function faultWords(
  text: string,
  { at, expected }: { readonly at: number; readonly expected: readonly string[] },
): string {
  const before = text.slice(0, at).split('\n')
  const line = text.split('\n')[before.length - 1] ?? ''
  const place =
    at >= text.length
      ? 'it ends too soon'
      : `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${JSON.stringify(line.slice(0, shownLength))}`
  const listed = expected.slice(0, mostExpected).join(' or ')
  return `does not fit its grammar: ${place}. Here it must go on with ${listed}.`
}
