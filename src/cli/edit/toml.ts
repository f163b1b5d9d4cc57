/** TOML as people keep it in settings. Edits leave all the rest of the text alone, comments too. */

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

/** The fields as a text of their own, at this path: what is no table first, then the tables. */
export function printToml(fields: Fields, path: readonly string[] = []): string {
  const [pairs, tables] = [false, true].map((wanted) =>
    Object.entries(fields).filter(([, one]) => isTable(one) === wanted),
  )
  const heading = path.length > 0 ? [`[${printKey(path)}]`] : []
  const own = pairs?.length ? [[...heading, ...pairs.map(printPair), ''].join('\n')] : []
  return [...own, ...(tables ?? []).map(([key, inner]) => printToml(inner as Fields, [...path, key]))].join('\n')
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

/**
 * The text with another value at this path, or, undefined, without the pair or table there. Throws a SyntaxError where
 * that stands in another form: inline, in dotted keys or as a list.
 */
export function setInToml(text: string, path: readonly string[], value: unknown): string {
  const sections = readSections(text)
  if (value === undefined) return removeFrom(text, sections, path)
  if (isTable(value)) {
    refuseOtherForms(sections, path)
    const gap = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n'
    return `${text}${gap}${printToml(value, path)}`
  }
  const [outer, key] = [path.slice(0, -1), path.at(-1) ?? '']
  const pair = pairAt(sections, path)
  if (pair !== undefined) return text.slice(0, pair.valueStart) + JSON.stringify(value) + text.slice(pair.valueEnd)
  refuseOtherForms(sections, path)
  const section = sections.find((one) => !one.isList && isSame(one.path, outer))
  if (section === undefined) return setInToml(text, outer, { [key]: value })
  const { end } = section
  const before = end === 0 || text[end - 1] === '\n' ? '' : '\n'
  const after = end === 0 && text.trimStart().startsWith('[') ? '\n' : ''
  return `${text.slice(0, end)}${before}${printPair([key, value])}\n${after}${text.slice(end)}`
}

function removeFrom(text: string, sections: readonly Section[], path: readonly string[]): string {
  const pair = pairAt(sections, path)
  if (pair !== undefined) {
    const line = text.indexOf('\n', pair.valueEnd)
    return text.slice(0, pair.start) + (line === -1 ? '' : text.slice(line + 1))
  }
  return sections
    .filter((section) => startsWith(section.path, path))
    .toReversed()
    .reduce((edited, { start, end }) => {
      const before = edited.slice(0, start)
      return (before.endsWith('\n\n') ? before.slice(0, -1) : before) + edited.slice(end)
    }, text)
}

function pairAt(sections: readonly Section[], path: readonly string[]): Pair | undefined {
  return sections
    .filter((section) => !section.isList && isSame(section.path, path.slice(0, -1)))
    .flatMap(({ pairs }) => pairs)
    .find(({ key }) => isSame(key, path.slice(-1)))
}

/** A table that is written inline, in dotted keys or as a list cannot be added to in place. */
function refuseOtherForms(sections: readonly Section[], path: readonly string[]): void {
  for (const { path: outer, pairs, isList } of sections) {
    if (isList && startsWith(path, outer)) throw new SyntaxError(`${printKey(outer)} is a list.`)
    for (const { key } of pairs) {
      const whole = [...outer, ...key]
      const shared = whole.slice(0, path.length)
      if (startsWith(path, shared) && shared.length > outer.length)
        throw new SyntaxError(`${printKey(shared)} is not a table of its own.`)
    }
  }
}

const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.every((key, at) => key === path[at])
const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && startsWith(one, other)
const isTable = (value: unknown): value is Fields => typeof value === 'object' && value !== null

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

function printPair([key, value]: readonly [string, unknown]): string {
  return `${printKey([key])} = ${JSON.stringify(value)}`
}

function printKey(path: readonly string[]): string {
  return path.map((key) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key))).join('.')
}
