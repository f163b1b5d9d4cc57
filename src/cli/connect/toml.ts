/** TOML as people keep it in settings. Edits leave all the rest of the text alone, comments too. */

type Scalar = string | number | boolean
type Fields = Readonly<Record<string, unknown>>

interface Pair {
  readonly start: number
  readonly key: readonly string[]
  /** Where its value stands. */
  readonly valueStart: number
  readonly valueEnd: number
}

interface Section {
  readonly start: number
  /** Empty for what stands before all tables. */
  readonly path: readonly string[]
  readonly isList: boolean
  readonly pairs: Pair[]
  /** Where a pair may be added: after the last one, or the heading. */
  end: number
}

/** The fields as a file of their own: what is no table first, then the tables. */
export function printToml(fields: Fields): string {
  const { pairs, tables } = split(fields)
  const sections = [
    pairs.map(printPair),
    ...tables.map(([path, own]) => [`[${printKey(path)}]`, ...own.map(printPair)]),
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')
}

/** The text with these fields in it. Throws a SyntaxError for what cannot be read, or stands there in another form. */
export function mergeToml(text: string, fields: Fields): string {
  const { pairs, tables } = split(fields)
  const merged = mergeSection(text, [], pairs)
  return tables.reduce((edited, [path, own]) => mergeSection(edited, path, own), merged)
}

/** What stands in tables of their own; values in forms that are never written here stay as they look. */
export function readToml(text: string): Fields {
  const whole: Record<string, unknown> = {}
  for (const { path, pairs, isList } of readSections(text)) {
    if (isList) continue
    const table = path.reduce<Record<string, unknown>>((outer, key) => {
      outer[key] ??= {}
      return outer[key] as Record<string, unknown>
    }, whole)
    for (const { key, valueStart, valueEnd } of pairs) {
      if (key.length === 1) table[key[0] ?? ''] = readScalar(text.slice(valueStart, valueEnd))
    }
  }
  return whole
}

function readScalar(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return /^'[^'\n]*'$/.test(text) ? text.slice(1, -1) : { text }
  }
}

/** The text with another value at this path, or without the pair or table there. */
export function editToml(text: string, path: readonly string[], value: unknown): string {
  const sections = readSections(text)
  const isAt = (one: readonly string[], length: number): boolean =>
    path.slice(0, length).every((key, at) => key === one[at])
  for (const section of sections) {
    if (section.isList || section.path.length !== path.length - 1 || !isAt(section.path, path.length - 1)) continue
    const pair = section.pairs.find(({ key }) => key.length === 1 && key[0] === path.at(-1))
    if (pair === undefined) continue
    if (value !== undefined) return text.slice(0, pair.valueStart) + JSON.stringify(value) + text.slice(pair.valueEnd)
    const line = text.indexOf('\n', pair.valueEnd)
    return text.slice(0, pair.start) + (line === -1 ? '' : text.slice(line + 1))
  }
  return sections
    .filter((section) => section.path.length >= path.length && isAt(section.path, path.length))
    .toReversed()
    .reduce((edited, { start, end }) => {
      const before = edited.slice(0, start)
      return (before.endsWith('\n\n') ? before.slice(0, -1) : before) + edited.slice(end)
    }, text)
}

type Pairs = readonly (readonly [key: string, value: Scalar])[]

function split(fields: Fields, path: readonly string[] = []) {
  const pairs: (readonly [string, Scalar])[] = []
  const tables: (readonly [readonly string[], Pairs])[] = []
  for (const [key, value] of Object.entries(fields)) {
    if (typeof value !== 'object' || value === null) pairs.push([key, value as Scalar])
    else {
      const inner = split(value as Fields, [...path, key])
      if (inner.pairs.length > 0) tables.push([[...path, key], inner.pairs])
      tables.push(...inner.tables)
    }
  }
  return { pairs, tables }
}

function mergeSection(text: string, path: readonly string[], wanted: Pairs): string {
  const sections = readSections(text)
  const isSame = (one: readonly string[]): boolean =>
    one.length === path.length && one.every((key, at) => key === path[at])
  const section = sections.find((one) => isSame(one.path) && !one.isList)
  refuseOtherForms(sections, path)
  if (section === undefined) {
    const gap = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n'
    return `${text}${gap}[${printKey(path)}]\n${wanted.map((pair) => `${printPair(pair)}\n`).join('')}`
  }
  const edits: { start: number; end: number; text: string }[] = []
  const fresh: string[] = []
  for (const [key, value] of wanted) {
    const there = section.pairs.find((pair) => pair.key.length === 1 && pair.key[0] === key)
    if (there === undefined) fresh.push(printPair([key, value]))
    else edits.push({ start: there.valueStart, end: there.valueEnd, text: printScalar(value) })
  }
  if (fresh.length > 0) edits.push({ start: section.end, end: section.end, text: addition(text, section, fresh) })
  return edits
    .toSorted((one, other) => other.start - one.start)
    .reduce((edited, { start, end, text: piece }) => edited.slice(0, start) + piece + edited.slice(end), text)
}

/** On lines of their own, before what follows. */
function addition(text: string, { end }: Section, lines: readonly string[]): string {
  const isStart = end === 0
  const before = isStart || text[end - 1] === '\n' ? '' : '\n'
  const follows = text.slice(end).trimStart().startsWith('[') && isStart ? '\n' : ''
  return `${before}${lines.join('\n')}\n${follows}`
}

/** A table that is written inline, in dotted keys or as a list cannot be added to in place. */
function refuseOtherForms(sections: readonly Section[], path: readonly string[]): void {
  for (const { path: outer, pairs, isList } of sections) {
    if (isList && outer.every((key, at) => key === path[at])) throw new SyntaxError(`${printKey(outer)} is a list.`)
    for (const { key } of pairs) {
      const whole = [...outer, ...key]
      const shared = Math.min(whole.length, path.length)
      if (whole.slice(0, shared).every((one, at) => one === path[at]) && shared > outer.length)
        throw new SyntaxError(`${printKey(whole.slice(0, shared))} is not a table of its own.`)
    }
  }
}

function readSections(text: string): readonly Section[] {
  let at = 0
  let current: Section = { start: 0, path: [], isList: false, pairs: [], end: 0 }
  const sections = [current]

  const fail = (): never => {
    throw new SyntaxError(`Line ${text.slice(0, at).split('\n').length} can't be read.`)
  }
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const [found] = pattern.exec(text) ?? fail()
    at += found.length
    return found
  }
  const readKey = (): readonly string[] => {
    const keys: string[] = []
    do {
      take(/[ \t]*/y)
      const key = take(/"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+/y)
      keys.push(key.startsWith('"') ? String(JSON.parse(key)) : key.replaceAll("'", ''))
      take(/[ \t]*/y)
    } while (text[at] === '.' && take(/\./y))
    return keys
  }
  const readValue = (): void => {
    const open = text[at]
    if (open === '[' || open === '{') {
      const close = open === '[' ? ']' : '}'
      at += 1
      for (;;) {
        take(/(?:\s|,|#[^\n]*)*/y)
        if (text[at] === close) break
        if (open === '{') {
          readKey()
          take(/=[ \t]*/y)
        }
        readValue()
      }
      at += 1
    } else take(/"""[\s\S]*?(?<!\\)"""+|'''[\s\S]*?'''+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s,#[\]{}"']+(?: [\d:.+Z-]+)?/y)
  }

  for (take(/(?:\s|#[^\n]*)*/y); at < text.length; take(/(?:\s|#[^\n]*)*/y)) {
    const start = at
    if (text[at] === '[') {
      const brackets = take(/\[{1,2}/y)
      const path = readKey()
      take(brackets === '[' ? /\]/y : /\]\]/y)
      current = { start, path, isList: brackets === '[[', pairs: [], end: 0 }
      sections.push(current)
    } else {
      const key = readKey()
      take(/=[ \t]*/y)
      const valueStart = at
      readValue()
      current.pairs.push({ start, key, valueStart, valueEnd: at })
    }
    take(/[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y)
    current.end = at
  }
  return sections
}

function printPair([key, value]: readonly [string, Scalar]): string {
  return `${printKey([key])} = ${printScalar(value)}`
}

function printKey(path: readonly string[]): string {
  return path.map((key) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key))).join('.')
}

function printScalar(value: Scalar): string {
  return JSON.stringify(value)
}
