import { takeRun } from './literals.ts'
import type { Source, Step } from './source.ts'

/** A run of letters, digits and the signs of numbers. What means anything is far shorter than the bound; more is cut there. */
export function* readLexeme(source: Source): Step<string> {
  return (yield* takeRun(source, longestLexeme, (code) => !isLexeme(code))) ?? ''
}

const longestLexeme = 4096

function isLexeme(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 45 ||
    code === 43 ||
    code === 46 ||
    code === 95 ||
    code === 36
  )
}
