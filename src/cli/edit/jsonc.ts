/** JSON as people keep it in settings: with comments and trailing commas. Edits leave all the rest of the text alone. */

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

export function readJsonc(text: string): unknown {
  return toValue(parse(text))
}

/** The text with another value at this path, or, undefined, without what stands there. What holds it has to be there. */
export function setInJsonc(text: string, path: readonly (string | number)[], value: unknown): string {
  const last = path.at(-1) ?? ''
  const parent = path
    .slice(0, -1)
    .reduce<Node | undefined>((node, step) => entriesOf(node)[indexOf(node, step)], parse(text))
  if (parent === undefined) return text
  const at = indexOf(parent, last)
  const node = entriesOf(parent)[at]
  if (value === undefined) return node === undefined ? text : remove(text, parent, at, node)
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  if (node === undefined) return insert(text, parent, parent.members && String(last), value, unit)
  return text.slice(0, node.start) + print(value, indentAt(text, node.start), unit) + text.slice(node.end)
}

function remove(text: string, parent: Node, at: number, node: Node): string {
  const start = (parent.members?.[at] ?? node).start
  const gap = start - (/\s*$/.exec(text.slice(parent.start + 1, start))?.[0].length ?? 0)
  const comma = skipTrivia(text, node.end)
  if (text[comma] === ',') return text.slice(0, gap) + text.slice(node.end, comma) + text.slice(comma + 1)
  const before = entriesOf(parent)[at - 1]
  const rest = text.slice(node.end)
  if (before === undefined) return text.slice(0, gap) + rest
  // The comma that led to it goes, too.
  const led = skipTrivia(text, before.end)
  return text.slice(0, led) + text.slice(led + 1, gap) + rest
}

function entriesOf(node: Node | undefined): readonly Node[] {
  return node?.items ?? node?.members?.map((member) => member.value) ?? []
}

/** Of a key that is there twice, readers take the last. */
function indexOf(node: Node | undefined, step: string | number): number {
  return typeof step === 'number' ? step : (node?.members?.findLastIndex(({ key }) => key === step) ?? -1)
}

/** Puts an entry behind the last one there is. */
function insert(text: string, parent: Node, key: string | undefined, value: unknown, unit: string): string {
  const label = key === undefined ? '' : `${JSON.stringify(key)}: `
  const last = entriesOf(parent).at(-1)
  const outer = indentAt(text, parent.start)
  const closer = parent.end - 1
  if (last === undefined) {
    const inner = outer + unit
    const comments = text.slice(0, closer).trimEnd()
    return `${comments}\n${inner}${label}${print(value, inner, unit)}\n${outer}${text.slice(closer)}`
  }
  const { comma, end } = restOfLine(text, last.end, closer)
  const head = comma ? text.slice(0, last.end) : `${text.slice(0, last.end)},`
  if (!text.slice(parent.start, last.end).includes('\n')) {
    const at = Math.max(text.slice(0, end).trimEnd().length, last.end)
    return `${head}${text.slice(last.end, at)} ${label}${JSON.stringify(value)}${text.slice(at)}`
  }
  const inner = indentAt(text, last.start)
  const entry = `\n${inner}${label}${print(value, inner, unit)}${end === closer ? `\n${outer}` : ''}`
  return head + text.slice(last.end, end) + entry + text.slice(end)
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

function parse(text: string): Node {
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
