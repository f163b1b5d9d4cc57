import type { Json } from '../protocol/json.ts'
import { endOfString, endOfValue, kindOf, skipSpace } from './json-text.ts'
import { Kind, type Node } from './node.ts'

/** JSON text, and in a few words what was changed to get there, when it was more than reading the text by its type. */
export interface Coerced {
  readonly json: string
  readonly changed?: string
}

/** Deeper values are left as they are. */
const depthLimit = 200
const numeric = Kind.integer | Kind.number
const container = Kind.array | Kind.object

const kindNames = new Map<number, string>(Object.entries(Kind).map(([name, kind]) => [kind, name]))

export function isArrayOnly(node: Node): boolean {
  return node.declared && (node.types & ~Kind.null) === Kind.array
}

/** Whether a value may stand here as it is; of an array or object, whether one may. */
export function isAccepted(node: Node, json: string): boolean {
  if (!node.declared) return true
  const kind = kindOf(json)
  if ((kind & node.types) === 0) return false
  return node.values === undefined || (kind & container) !== 0 || node.values.includes(JSON.parse(json) as Json)
}

/** A string that begins with a bracket is a list that cannot be read. */
function isLoneItem(node: Node, raw: string, kind: number): boolean {
  return (kind & container) === 0 && !/^"\s*\[/.test(raw) && isAccepted(node, raw)
}

/** Walks the text of a value, which must be valid JSON, beside its schema and replaces only the values that do not fit. */
export function coerceNested(root: Node, json: string, readText: (node: Node, text: string) => Coerced): Coerced {
  const pieces: string[] = []
  const changes: string[] = []
  const path: (string | number)[] = []
  let copied = 0
  let changeCount = 0

  /** Passes over one value from its first character and returns where it ends. */
  function value(node: Node, start: number): number {
    const first = json[start]
    const kind = first === '{' ? Kind.object : first === '[' ? Kind.array : 0
    if (!node.declared) return endOfValue(json, start)
    if (kind !== 0 && (node.types & kind) !== 0 && path.length < depthLimit) {
      return kind === Kind.object ? members(node, start) : items(node, start)
    }
    const end = endOfValue(json, start)
    const raw = json.slice(start, end)
    const fitted = refit(node, raw)
    if (fitted === undefined) return end
    pieces.push(json.slice(copied, start), fitted.json)
    copied = end
    changeCount += 1
    if (changes.length < 3) changes.push(describe(kindOf(raw), fitted))
    return end
  }

  function refit(node: Node, raw: string): Coerced | undefined {
    const kind = kindOf(raw)
    const fits = (kind & numeric) === 0 ? kind & node.types : node.types & numeric
    if (fits !== 0 || kind === Kind.null) return undefined
    if (kind !== Kind.string && (node.types & ~Kind.null) === Kind.string) return { json: JSON.stringify(raw) }
    if (kind === Kind.string) {
      const read = readText(node, JSON.parse(raw) as string)
      if ((kindOf(read.json) & node.types) !== 0) return read
    }
    return isArrayOnly(node) && isLoneItem(node.item(0), raw, kind) ? { json: `[${raw}]` } : undefined
  }

  function members(node: Node, start: number): number {
    let index = skipSpace(json, start + 1)
    while (json[index] !== '}') {
      const nameEnd = endOfString(json, index)
      const name = JSON.parse(json.slice(index, nameEnd)) as string
      // Past the name: the colon, then the value.
      index = skipSpace(json, skipSpace(json, nameEnd) + 1)
      path.push(name)
      index = next(value(node.property(name), index))
      path.pop()
    }
    return index + 1
  }

  function items(node: Node, start: number): number {
    let index = skipSpace(json, start + 1)
    for (let place = 0; json[index] !== ']'; place += 1) {
      path.push(place)
      index = next(value(node.item(place), index))
      path.pop()
    }
    return index + 1
  }

  /** From the end of a value to the next one, or to the closing mark. */
  function next(end: number): number {
    const index = skipSpace(json, end)
    return json[index] === ',' ? skipSpace(json, index + 1) : index
  }

  function describe(from: number, to: Coerced): string {
    const change = `${kindNames.get(from)} to ${kindNames.get(kindOf(to.json))}`
    const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
    return place === '' ? change : `${change} at ${place.replace(/^\./, '')}`
  }

  value(root, skipSpace(json, 0))
  if (changeCount === 0) return { json }
  pieces.push(json.slice(copied))
  const more = changeCount > changes.length ? [`${changeCount - changes.length} more`] : []
  return { json: pieces.join(''), changed: [...changes, ...more].join('; ') }
}
