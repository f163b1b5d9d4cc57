import { charsOf, takeRun } from './literals.ts'
import type { Source, Step } from './source.ts'

/** A run of letters, digits and the signs of numbers. What means anything is far shorter than the bound; more is cut there. */
export function* readLexeme(source: Source): Step<string> {
  return (yield* takeRun(source, longestLexeme, (code) => !isLexeme(code))) ?? ''
}

const longestLexeme = 4096

const isLexeme = charsOf(/[\w$.+-]/)
