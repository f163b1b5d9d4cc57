import { isJsonObject, type Json, parseJson } from '../../protocol/json.ts'

const deepest = 3

/**
 * What a text may be once the things are off that models put around texts for tools: blank lines, a code fence, JSON, a
 * here-document, ends of lines spelt out. The text itself is not among it.
 */
export function unwrap(text: string): ReadonlySet<string> {
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
