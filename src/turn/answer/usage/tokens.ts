import { blank, classes, digit, foreign, lower, mark, newline, scripts, space, upper } from './characters.ts'

/**
 * How many tokens a text has, for services that do not say. It cuts the text where the tokenizers of today cut it (words
 * with the one character before them, up to three digits, runs of marks, runs of blanks) and adds up what such pieces
 * cost on average in OpenAI's newest vocabulary. No table of words, nothing to load, one pass. How far off it is stands in
 * `docs/decisions/0015-tokens-are-estimated.md`.
 */
export function countText(text: string, limit = countedLength): number {
  if (text.length <= limit) return Math.round(estimate(text))
  return Math.round((estimate(text.slice(0, limit)) * text.length) / limit)
}

/** The tokens of a text, of which so many characters were looked at. */
export interface KnownCount {
  readonly share: number
  readonly tokens: number
}

/** Longer texts are counted up to here and the rest in proportion: some ten milliseconds' work. */
export const countedLength = 200_000

function estimate(text: string): number {
  let tokens = 0
  let at = 0
  let words = 0
  let longWords = 0
  let accentedWords = 0

  const classAt = (place: number): number => (place < text.length ? (classes[text.charCodeAt(place)] ?? mark) : newline)

  /** From here to the first character of another kind. */
  function runFrom(place: number, isIn: (kind: number) => boolean): number {
    let end = place
    while (end < text.length && isIn(classAt(end))) end += 1
    return end
  }

  function readWord(start: number, lead: number): void {
    const small = runFrom(start, isCapital)
    at = runFrom(small, isSmall)
    let script = 0
    for (let place = start; place < at; place += 1) script = Math.max(script, classAt(place))
    const length = at - start
    if (script < foreign) {
      tokens += costOfWord(length, small - start, lead)
      words += 1
      if (length >= longEnough) longWords += 1
    } else {
      tokens += costOfForeign(script, length, lead)
      if (script === accented) accentedWords += 1
    }
  }

  function readMarks(start: number): void {
    const end = runFrom(start, isMark)
    tokens += costOfMarks(text, start, end)
    at = end
    while (classAt(at) === newline && at < text.length) at += 1
  }

  function readBlanks(): void {
    let line = -1
    let end = at
    for (; end < text.length && isBlank(classAt(end)); end += 1) if (classAt(end) === newline) line = end
    tokens += 1
    // The last blank belongs to the word after it.
    if (line >= at) at = line + 1
    else at = end < text.length && end - at > 1 ? end - 1 : end
  }

  while (at < text.length) {
    const kind = classAt(at)
    if (isLetter(kind)) readWord(at, 0)
    else if (kind === digit) {
      for (const last = at + 3; at < last && classAt(at) === digit; ) at += 1
      tokens += 1
    } else if (kind !== newline && isLetter(classAt(at + 1))) readWord(at + 1, kind === space ? 1 : 2)
    else if (kind === mark || (kind === space && classAt(at + 1) === mark)) readMarks(kind === mark ? at : at + 1)
    else readBlanks()
  }
  // Where many words have accents, those without are no English words either.
  const share = accentedWords / Math.max(1, words + accentedWords)
  return tokens + longWords * Math.min(1, share * 10) * perLongWord
}

/** The first of the scripts. */
const accented = foreign
const longEnough = 5
const perLongWord = 0.3

const isMark = (kind: number) => kind === mark
const isBlank = (kind: number) => kind === space || kind === blank || kind === newline
const isLetter = (kind: number) => kind === lower || kind === upper || kind >= foreign
const isCapital = (kind: number) => kind === upper || kind >= foreign
const isSmall = (kind: number) => kind === lower || kind >= foreign

/** What words cost by their length, up to twelve letters: after nothing, after a blank, after a mark. */
const smallWords = [
  [1, 1, 1.11, 1.12, 1.07, 1.18, 1.14, 1.33, 1.45, 1.45, 1.5, 1.8],
  [1, 1, 1.01, 1.01, 1.02, 1.03, 1.03, 1.06, 1.1, 1.12, 1.15, 1.22],
  [1.03, 1.06, 1.18, 1.24, 1.34, 1.34, 1.36, 1.63, 1.63, 2.1, 2.2, 2.3],
]
const titles = [
  [1, 1.01, 1.15, 1.02, 1.03, 1.07, 1.07, 1.1, 1.19, 1.17, 1.25, 1.45],
  [1, 1, 1.1, 1.05, 1.05, 1.17, 1.19, 1.29, 1.29, 1.3, 1.45, 1.5],
  [1, 1.2, 1.5, 1.58, 1.66, 1.66, 1.6, 1.78, 2.05, 2.05, 2.1, 2.5],
]
const capitals = [
  [1, 1.02, 1.07, 1.2, 1.65, 1.8, 1.7, 2.1, 2.2, 2.8, 3.2, 4],
  [1, 1, 1.03, 1.06, 1.14, 1.2, 1.25, 1.3, 1.4, 1.5, 1.7, 2],
  [1.06, 1.2, 1.75, 1.5, 1.5, 1.62, 1.6, 2.3, 2.3, 2.4, 3.3, 4],
]
const mixed = [
  [1, 1, 1, 2, 2.1, 2.1, 2.2, 2.3, 2.4, 2.2, 2.3, 2.4],
  [1, 1, 1.1, 1.15, 1.45, 1.95, 2.1, 2.1, 2.1, 2.4, 2.4, 2.4],
  [1, 1, 2, 2.6, 2.8, 2.7, 2.7, 2.8, 2.6, 2.9, 2.9, 3],
]
const longest = 12
/** Longer words fall into pieces of some four letters. */
const perLetter = 0.27

function costOfWord(length: number, capital: number, lead: number): number {
  const byLead =
    capital === 0 || length === 1 ? smallWords : capital === 1 ? titles : capital === length ? capitals : mixed
  const known = byLead[lead]?.[Math.min(length, longest) - 1] ?? 1
  return known + Math.max(0, length - longest) * perLetter
}

function costOfForeign(script: number, length: number, lead: number): number {
  const { first, each, bare } = scripts[script - foreign] ?? { first: 0, each: 1, bare: 0 }
  return Math.max(1, first + each * length + (lead === 1 ? 0 : bare))
}

/** `<|` and `|>` are two tokens each where they are no mark of the model's own. */
const bar = 124
const less = 60
const greater = 62

/** By their number; a blank before them is free. */
const markRuns = [0, 1, 1.02, 1.17, 1.45, 2]

function costOfMarks(text: string, start: number, end: number): number {
  const first = text.charCodeAt(start)
  let isSame = true
  let wide = 0
  let bars = 0
  for (let place = start; place < end; place += 1) {
    const code = text.charCodeAt(place)
    isSame &&= code === first
    if (code >= 128) wide += 1
    if (code === bar && (text.charCodeAt(place - 1) === less || text.charCodeAt(place + 1) === greater)) bars += 1
  }
  const length = end - start
  // Lines made of one mark are words to a tokenizer; rare signs come in two or three parts.
  if (isSame && length > 3) return 1 + length / 40
  return (markRuns[length - wide] ?? (length - wide) * 0.45) + wide * 0.9 + bars
}
