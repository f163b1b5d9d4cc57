import { takeRun } from './literals.ts'
import type { Source, Step } from './source.ts'

const words: Readonly<Record<string, string>> = {
  true: 'true',
  false: 'false',
  null: 'null',
  True: 'true',
  False: 'false',
  None: 'null',
  TRUE: 'true',
  FALSE: 'false',
  NULL: 'null',
  undefined: 'null',
  NaN: '"NaN"',
  Infinity: '"Infinity"',
  '-Infinity': '"-Infinity"',
}

const strictNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const looseNumber = /^([+-]?)0*([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$/

/** A number or word as strict JSON; undefined when it is neither. */
export function toStrict(word: string): string | undefined {
  if (strictNumber.test(word)) return word
  if (Object.hasOwn(words, word)) return words[word]
  const loose = looseNumber.exec(word.replaceAll('_', ''))
  if (loose === null || !/[0-9]/.test(word)) return undefined
  const [, sign, whole, fraction, exponent] = loose
  if (whole === '' && !fraction && !/^[+-]?0/.test(word)) return undefined
  const digits = whole === '' ? '0' : whole
  const rest = (fraction ? `.${fraction}` : '') + (exponent ? `e${exponent}` : '')
  return `${sign === '-' ? '-' : ''}${digits}${rest}`
}

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
