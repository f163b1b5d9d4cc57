import { controlTokens } from '../../src/engine/marks/vocabulary.ts'
import { toolName } from './places.ts'

/** What a text may repeat, whatever dialect it is in. */
export interface Unit {
  readonly kind: string
  readonly text: string
}

const prose = 'The lamp in the den is on now, at level three; say so if it should be brighter.\n'
const quotes = units('quotes', '"', "'", '"""', '`', '```', '\n```\n', '\\', '\\"', '\\n', '\\u00', '&amp', '<|"|>')
const brackets = units('brackets', ...'{ [ ( < </ > } ] ) [{ {"a": {"a":[ [[" "a", (a='.split(' '), '\n- ')
const words = units('words', ...'a 1 : = , . - / 字 🙂'.split(' '), '\u2060', `${toolName} `, prose)
const spaces = units('spaces', ' ', '\n', '\r\n', '\t')
const elements = units(
  'elements',
  ...'<a> </a> <item> </item> <![CDATA[ ]]> <![CDATA[]]> <!-- <br/>'.split(' '),
  '<a b="',
)
const thoughts = units('thoughts', '<think>', '</think>', '<think></think>', '\n<think>\n', '\n\n</think>\n\n')
const tokens = units('control tokens', ...controlTokens)
const inNames = units('letters', ...'a 1 . : / - " \' < \\ &amp; 字 functions.'.split(' '), `${toolName} `)

export const allUnits: readonly Unit[] = [
  ...quotes,
  ...brackets,
  ...words,
  ...spaces,
  ...elements,
  ...thoughts,
  ...tokens,
]

/** What is hard on a reader at a place inside a call. */
export function unitsIn(place: string): readonly Unit[] {
  switch (place) {
    case 'in a string':
      return allUnits
    case 'in a list':
      return [...quotes, ...brackets, ...elements]
    case 'in an object':
      return brackets
    default:
      return [...inNames, ...spaces]
  }
}

/** What may begin a call at the start of a line. */
export const lineStarts: readonly string[] = [
  ...'call: Action: [ { < ```json'.split(' '),
  'Action Input:',
  toolName,
  `${toolName}(`,
  `[${toolName}(`,
]

/** What a call's arguments may begin with. */
export const beginnings: readonly string[] = ['{', '[', '"', '{"name": "', '{"arguments": {"a": "']

function units(kind: string, ...texts: readonly string[]): readonly Unit[] {
  return texts.map((text) => ({ kind, text }))
}
