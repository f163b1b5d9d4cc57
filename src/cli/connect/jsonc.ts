/** JSON as people keep it in settings: with comments and trailing commas. Edits leave all the rest of the text alone. */

type Fields = Readonly<Record<string, unknown>>

interface Member {
  readonly start: number
  readonly key: string
  readonly value: Node
}

interface Node {
  readonly start: number
  readonly end: number
  readonly members?: readonly Member[]
  readonly items?: readonly Node[]
  /** Of what is neither an object nor a list. */
  readonly scalar?: unknown
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The text with these fields in it, merged as deep as objects go. Throws a SyntaxError for what is no object. */
export function mergeJsonc(text: string, wanted: Fields): string {
  const root = readJsonc(text)
  if (root.members === undefined) throw new SyntaxError('It is not an object.')
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  const edits: Edit[] = []
  mergeObject(text, root, wanted, unit, edits)
  let edited = ''
  let at = 0
  // Those at the same place stay in the order they were made in.
  for (const { start, end, text: piece } of edits.toSorted((one, other) => one.start - other.start)) {
    edited += text.slice(at, start) + piece
    at = end
  }
  return edited + text.slice(at)
}

export function readJsoncValue(text: string): unknown {
  return toValue(readJsonc(text))
}

/** The text with another value at this path, or without what stands there. */
export function editJsonc(text: string, path: readonly (string | number)[], value: unknown): string {
  const outer = path
    .slice(0, -1)
    .reduce<Node | undefined>((node, step) => entriesOf(node)[indexOf(node, step)], readJsonc(text))
  const entries = entriesOf(outer)
  const at = indexOf(outer, path.at(-1) ?? '')
  const node = entries[at]
  if (outer === undefined || node === undefined) return text
  if (value !== undefined) {
    const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
    return text.slice(0, node.start) + print(value, indentAt(text, node.start), unit) + text.slice(node.end)
  }
  const start = (outer.members?.[at] ?? node).start
  const gap = start - (/\s*$/.exec(text.slice(outer.start + 1, start))?.[0].length ?? 0)
  const comma = skipTrivia(text, node.end)
  if (text[comma] === ',') return text.slice(0, gap) + text.slice(node.end, comma) + text.slice(comma + 1)
  const before = entries[at - 1]
  const rest = text.slice(node.end)
  if (before === undefined) return text.slice(0, gap) + rest
  // The comma that led to it goes, too.
  const led = skipTrivia(text, before.end)
  return text.slice(0, led) + text.slice(led + 1, gap) + rest
}

function entriesOf(node: Node | undefined): readonly Node[] {
  return node?.items ?? node?.members?.map((member) => member.value) ?? []
}

function indexOf(node: Node | undefined, step: string | number): number {
  return typeof step === 'number' ? step : (node?.members?.findLastIndex(({ key }) => key === step) ?? -1)
}

function mergeObject(text: string, object: Node, wanted: Fields, unit: string, edits: Edit[]): void {
  const added: [string, unknown][] = []
  for (const [key, value] of Object.entries(wanted)) {
    // Of a key that is there twice, readers take the last.
    const known = object.members?.findLast((member) => member.key === key)
    if (known === undefined) added.push([key, value])
    else mergeValue(text, known.value, value, unit, edits)
  }
  const pieces = added.map(([key, value]) => ({ label: `${JSON.stringify(key)}: `, value }))
  insert(text, object, object.members?.at(-1)?.value, pieces, unit, edits)
}

function mergeValue(text: string, node: Node, wanted: unknown, unit: string, edits: Edit[]): void {
  if (node.members !== undefined && isFields(wanted)) return mergeObject(text, node, wanted, unit, edits)
  if (node.items !== undefined && Array.isArray(wanted) && wanted.every(isNamed)) {
    return mergeList(text, node, wanted, unit, edits)
  }
  if (JSON.stringify(toValue(node)) === JSON.stringify(wanted)) return
  edits.push({ start: node.start, end: node.end, text: print(wanted, indentAt(text, node.start), unit) })
}

/** Lists of models: an entry is merged into the one of the same name. */
function mergeList(text: string, list: Node, wanted: readonly Fields[], unit: string, edits: Edit[]): void {
  const added: Fields[] = []
  for (const entry of wanted) {
    const known = list.items?.find((item) => nameOfNode(item) === nameOfEntry(entry))
    if (known === undefined) added.push(entry)
    else mergeObject(text, known, entry, unit, edits)
  }
  const pieces = added.map((value) => ({ label: '', value }))
  insert(text, list, list.items?.at(-1), pieces, unit, edits)
}

/** Puts entries behind the last one there is. */
function insert(
  text: string,
  parent: Node,
  last: Node | undefined,
  pieces: readonly { readonly label: string; readonly value: unknown }[],
  unit: string,
  edits: Edit[],
): void {
  if (pieces.length === 0) return
  const outer = indentAt(text, parent.start)
  const inner = last === undefined ? outer + unit : indentAt(text, last.start)
  if (last === undefined) {
    const lines = pieces.map(({ label, value }) => `${inner}${label}${print(value, inner, unit)}`)
    const comments = text.slice(parent.start + 1, parent.end - 1).trimEnd()
    edits.push({ start: parent.start + 1, end: parent.end - 1, text: `${comments}\n${lines.join(',\n')}\n${outer}` })
    return
  }
  const isOneLine = !text.slice(parent.start, last.end).includes('\n')
  const { comma, end } = restOfLine(text, last.end, parent.end - 1)
  if (!comma) edits.push({ start: last.end, end: last.end, text: ',' })
  const printed = isOneLine
    ? pieces.map(({ label, value }) => ` ${label}${JSON.stringify(value)}`).join(',')
    : pieces.map(({ label, value }) => `\n${inner}${label}${print(value, inner, unit)}`).join(',')
  const before = text.slice(0, end).trimEnd().length
  const at = isOneLine ? Math.max(before, last.end) : end
  edits.push({ start: at, end: at, text: !isOneLine && at === parent.end - 1 ? `${printed}\n${outer}` : printed })
}

/** Where the line of a last entry ends, its comma and the comments behind it included. */
function restOfLine(text: string, from: number, limit: number): { readonly comma: boolean; readonly end: number } {
  const comma = text[skipTrivia(text, from)] === ','
  let at = from
  while (at < limit && text[at] !== '\n') {
    if (text.startsWith('//', at)) return { comma, end: lineEnd(text, at) }
    at = text.startsWith('/*', at) ? text.indexOf('*/', at) + 2 : at + 1
  }
  const end = text[at - 1] === '\r' ? at - 1 : at
  // A comma that stands on a line of its own.
  const late = comma ? skipTrivia(text, from) + 1 : end
  return { comma, end: Math.max(end, late) }
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : text[at - 1] === '\r' ? at - 1 : at
}

function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

function print(value: unknown, indent: string, unit: string): string {
  return JSON.stringify(value, undefined, unit).replaceAll('\n', `\n${indent}`)
}

function toValue({ members, items, scalar }: Node): unknown {
  if (items !== undefined) return items.map(toValue)
  if (members === undefined) return scalar
  return Object.fromEntries(members.map(({ key, value }) => [key, toValue(value)]))
}

function nameOfNode({ members = [] }: Node): unknown {
  const field = (name: string) => members.findLast(({ key }) => key === name)?.value.scalar
  return field('id') ?? field('name')
}

function nameOfEntry(entry: Fields): unknown {
  return entry['id'] ?? entry['name']
}

function isNamed(entry: unknown): entry is Fields {
  return isFields(entry) && typeof nameOfEntry(entry) === 'string'
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function skipTrivia(text: string, from: number): number {
  let at = from
  for (;;) {
    if (/\s|\uFEFF/.test(text[at] ?? '')) at += 1
    else if (text.startsWith('//', at)) at = lineEnd(text, at)
    else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at)
      if (end === -1) throw new SyntaxError('A comment is not closed.')
      at = end + 2
    } else return at
  }
}

const stringShape = /"(?:[^"\\\n]|\\.)*"/y
const wordShape = /[^\s,:[\]{}"/]+/y

function readJsonc(text: string): Node {
  let at = 0

  function next(): string {
    at = skipTrivia(text, at)
    return text[at] ?? ''
  }

  function fail(wanted: string): never {
    const line = text.slice(0, at).split('\n').length
    throw new SyntaxError(`Line ${line}: expected ${wanted}.`)
  }

  function take(shape: RegExp, wanted: string): unknown {
    shape.lastIndex = at
    const found = shape.exec(text)?.[0]
    if (found === undefined) fail(wanted)
    try {
      const value: unknown = JSON.parse(found)
      at += found.length
      return value
    } catch {
      return fail(wanted)
    }
  }

  /** Entries up to the closing sign, which a comma may stand before. */
  function list<T>(closer: string, read: () => T): readonly T[] {
    const entries: T[] = []
    at += 1
    while (next() !== closer) {
      entries.push(read())
      if (next() === ',') at += 1
      else if (next() !== closer) fail(`a comma or ${closer}`)
    }
    at += 1
    return entries
  }

  function member(): Member {
    if (next() !== '"') fail('a name in double quotes')
    const start = at
    const key = take(stringShape, 'a name in double quotes') as string
    if (next() !== ':') fail('a colon')
    at += 1
    return { start, key, value: value() }
  }

  function value(): Node {
    const sign = next()
    const start = at
    if (sign === '{') return { start, members: list('}', member), end: at }
    if (sign === '[') return { start, items: list(']', value), end: at }
    const scalar = sign === '"' ? take(stringShape, 'a closing quote') : take(wordShape, 'a value')
    return { start, scalar, end: at }
  }

  const root = value()
  if (next() !== '') fail('the end of the file')
  return root
}
