import type { NoteKind } from '../protocol/note.ts'
import { coerceText, isTextOnly } from '../schema/coerce.ts'
import { Kind, type Node } from '../schema/node.ts'
import { runWhole } from './arguments.ts'
import { type Outcome, readJson } from './json.ts'
import { isWrapper, memberFor } from './members.ts'
import { readElements } from './nested.ts'
import { ignore, type Pen } from './pen.ts'
import { type Source, type Step, stands, standsAny } from './source.ts'
import { readUntil } from './value.ts'
import { type Budget, coerceQuoted, createBudget, readYaml, readYamlValue } from './yaml.ts'
import {
  dedent,
  endOfQuoted,
  endsLine,
  indentOf,
  mendQuoted,
  nextLine,
  readBlock,
  readBlockHeader,
  readKey,
  toRaw,
} from './yaml-text.ts'

/**
 * Reads arguments written as a YAML mapping, up to the closer of the call, which is left unread, and writes all but the
 * last brace. `layout` is the white space before them. Nothing is written before the closer has come, because only the
 * whole says which lines are members. Where the answer ends without one, the arguments must be plainly right.
 */
export function* readYamlBody(
  source: Source,
  node: Node,
  pen: Pen,
  closers: readonly string[],
  layout: string,
  endedWell = () => false,
): Step<Outcome> {
  const from = source.mark()
  const isClosed = yield* passBody(source, closers)
  const text = layout.slice(layout.lastIndexOf('\n') + 1) + source.since(from)
  source.release()
  if (!isClosed && !endedWell()) return 'cut'
  const budget = createBudget()
  const json =
    readMembers(text, node, pen, budget, isClosed) ?? (isClosed ? readWhole(text, node, pen, budget) : undefined)
  if (json === undefined) return isClosed ? 'stuck' : 'cut'
  pen.write(json)
  return 'complete'
}

/** Goes on to the closer of the call, past whole calls of the same tool that a value quotes. */
function* passBody(source: Source, closers: readonly string[]): Step<boolean> {
  const opener = closers[0]?.replace('</', '<') ?? ''
  let quoted = 0
  let isLineStart = true
  function* ends(): Step<boolean> {
    if (yield* standsAny(source, closers)) return quoted-- === 0
    if (isLineStart && (yield* stands(source, opener))) quoted++
    return false
  }
  return yield* readUntil(source, '<', ends, (piece) => {
    const line = piece.lastIndexOf('\n') + 1
    isLineStart = (line > 0 || isLineStart) && piece.slice(line).trim() === ''
  })
}

/** The members, line by line, as JSON without the last brace; undefined when these lines are no members. */
function readMembers(written: string, node: Node, pen: Pen, budget: Budget, isClosed: boolean): string | undefined {
  const text = dedent(written, indentOf(written))
  const members: string[] = []
  const seen = new Set<string>()
  /** Each is said once, and only if all went well. */
  const notes = new Map<string, readonly [NoteKind, string | undefined]>()
  const inner: Pen = { write: ignore, note: (kind, detail) => void notes.set(`${kind} ${detail}`, [kind, detail]) }
  let isRepaired = false
  let isRepeated = false
  const repair = (detail: string): void => {
    isRepaired = true
    inner.note('arguments_repaired', detail)
  }
  const isAwaited = (key: string): boolean => node.hasProperty(key) && !seen.has(key)

  /** Where the next member begins after the line at `from`. */
  function nextMember(from: number, isMember: (key: string) => boolean = () => true): number {
    for (let at = nextLine(text, from); at < text.length; at = nextLine(text, at)) {
      const key = readKey(text, at)?.[0]
      if (key !== undefined && isMember(key)) return at
    }
    return text.length
  }

  /** Reads a member from after its colon; where it ends, or -1. */
  function readMember(key: string, from: number): number {
    const { name, node: own } = memberFor(node, key, inner)
    isRepeated ||= name !== undefined && seen.has(name)
    if (name !== undefined) seen.add(name)
    const write = (json: string | undefined, end: number): number => {
      if (name !== undefined) members.push(`${JSON.stringify(name)}: ${json}`)
      return name === undefined || json !== undefined ? end : -1
    }
    let start = from
    while (text.charAt(start) === ' ' || text.charAt(start) === '\t') start++
    if (text.charAt(start) === '"' && (text.charAt(start + 1) !== '"' || endsLine(text, start + 2))) {
      const end = endOfQuoted(text, start)
      if (end < 0) return -1
      if (text.slice(end, nextLine(text, end)).trimStart().startsWith(',')) repair('trailing comma')
      const quoted = text.slice(start, end)
      const json = readYamlValue(quoted, own, budget) ?? readYamlValue(mendQuoted(quoted, repair), own, budget)
      return write(json, nextLine(text, end))
    }
    const next = nextMember(start)
    if (name === undefined) return next
    const header = readBlockHeader(text, start)
    if (header !== undefined) {
      // Under a header without text, a line that only looks like a member is the text, if the schema does not await it.
      const isEmpty = node.properties.length > 0 && text.slice(header.start, next).trim() === ''
      let end = isEmpty ? nextMember(start, isAwaited) : next
      let block = readBlock(text.slice(header.start, end), header, false)
      if (block !== undefined && header.isFolded) return write(readYamlValue(text.slice(start, end), own, budget), end)
      if (block === undefined) {
        repair('text not indented')
        end = nextMember(start, isAwaited)
        block = readBlock(text.slice(header.start, end), header, true) ?? ''
      }
      return write(coerceQuoted(block, own), end)
    }
    const value = text.slice(from, next)
    // Where a string must be, a line that looks like more to YAML is still one: `[sic]`, `*this*`, `#this`.
    const isText = isTextOnly(own) && /^[ \t]*(?:[[{&*!]|#\S)/.test(value) && !value.trim().includes('\n')
    const json = isText ? coerceText(own, value.trim()).json : readYamlValue(value, own, budget)
    if (json !== undefined) return write(toTyped(json, own, inner, false), next)
    if (budget.left < 0 || !own.declared || (own.types & Kind.string) === 0) return -1
    repair('text as it stands')
    const last = endOfRaw(start)
    return last < 0 ? -1 : write(coerceText(own, toRaw(text.slice(from, last))).json, last)
  }

  /** Where text ends that is taken as it stands, beginning at `start`; -1 when it is in quotes that may end further on. */
  function endOfRaw(start: number): number {
    const fence = /^(?:"""|''')/.exec(text.slice(start, start + 3))?.[0]
    if (fence !== undefined) {
      const close = text.indexOf(fence, start + 3)
      return close < 0 ? -1 : nextMember(close, isAwaited)
    }
    const end = nextMember(start, isAwaited)
    const closes = /'[ \t\r]*(?:\n|$)/
    const isOpen = text.charAt(start) === "'" && !closes.test(text.slice(start + 1, end))
    return isOpen && closes.test(text.slice(end)) ? -1 : end
  }

  let count = 0
  for (let at = 0; at < text.length; ) {
    const [key, end = 0] = readKey(text, at) ?? []
    const next = nextLine(text, at)
    if (key === undefined) at = /^\s*(?:#|$)/.test(text.slice(at, next)) ? next : -1
    else at = count++ === 0 && isWrapper(node, key) ? -1 : readMember(key, end)
    if (at < 0) return undefined
  }
  const isWhole = [...seen].every((key) => node.hasProperty(key)) && node.required.every((key) => seen.has(key))
  // After a repair, a key that comes twice may as well be text; and what is not closed may go on into other words.
  if (count === 0 || (isRepaired && (isRepeated || !isClosed)) || !(isClosed || isWhole)) return undefined
  for (const [kind, detail] of notes.values()) pen.note(kind, detail)
  return `{${members.join(', ')}`
}

/** A mapping that does not begin like one of lines, or elements in its place. */
function readWhole(text: string, node: Node, pen: Pen, budget: Budget): string | undefined {
  const isElements = /^\s*</.test(text)
  if (budget.left < 0 && !isElements) return undefined
  const json = isElements ? readElements(toElements(text, pen) ?? text, node) : readYaml(dedent(text), node, budget)
  return json && toTyped(json, node, pen, true)
}

/** Elements in the place of YAML's lines, one each: closed where they are not, and without the blanks around their text. */
function toElements(text: string, pen: Pen): string | undefined {
  const elements: string[] = []
  const unclosed: string[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const [, name, value = '', close] = /^<([\w.-]+)>([^<]*)(<\/\1>)?$/.exec(line.trim()) ?? []
    if (name === undefined || (close === undefined && value.trim() === '')) return undefined
    if (close === undefined) unclosed.push(`</${name}>`)
    elements.push(`<${name}>${value.trim()}</${name}>`)
  }
  for (const close of unclosed) pen.note('closer_missing', close)
  return elements.join('')
}

/** A list or mapping by the rules for any JSON: nested keys corrected or left out, types made to fit. */
function toTyped(json: string, node: Node, pen: Pen, holdLast: boolean): string | undefined {
  if (!/^[[{]/.test(json)) return json
  let typed = ''
  const inner: Pen = { write: (piece) => void (typed += piece), note: pen.note }
  return runWhole(json, (source) => readJson(source, node, inner, { holdLast })) === 'complete' ? typed : undefined
}
