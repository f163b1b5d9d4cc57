import { matchGrammar } from '../../engine/constrain/grammar/match.ts'
import type { GrammarTree } from '../../engine/constrain/grammar/tree.ts'
import { isJsonObject, type Json, parseJson } from '../../protocol/json.ts'

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

const deepest = 3

/**
 * What a text may be once the things are off that models put around texts for tools: blank lines, a code fence, JSON, a
 * here-document, ends of lines spelt out. The text itself is not among it.
 */
function unwrap(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  let layer: readonly string[] = [text]
  for (let depth = 0; depth < deepest; depth++) {
    layer = layer.flatMap(insides).filter((inside) => inside.trim() !== '' && !found.has(inside))
    for (const inside of layer) found.add(inside)
  }
  found.delete(text)
  return found
}

const fences = /^[ \t]*(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)\n?^[ \t]*\1[ \t]*$/gm
const hereDocument = /<<-?[ \t]*(['"]?)(\w+)\1[ \t]*\n([\s\S]*?)\n\2\s*$/

function insides(text: string): readonly string[] {
  const [, , , shell] = hereDocument.exec(text) ?? []
  const fenced = [...text.matchAll(fences)].map(([, , inside = '']) => `${inside}\n`)
  const bare = text
    .replaceAll('\r\n', '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
  return [
    bare,
    `${bare}\n`,
    ...fenced,
    ...(shell === undefined ? [] : [`${shell}\n`]),
    ...stringsIn(parseJson(text)),
    // Its ends of lines are spelt out.
    ...(/^[^\n]*\\n/.test(text.trim()) ? stringsIn(parseJson(`"${text.trim().replace(/(?<!\\)"/g, '\\"')}"`)) : []),
  ]
}

function stringsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string')
  return isJsonObject(value) ? Object.values(value).flatMap((one) => (isJsonObject(one) ? [] : stringsIn(one))) : []
}
