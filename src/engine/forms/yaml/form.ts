import { coerceText, isTextOnly } from '../../../schema/coerce.ts'
import { isJsonText } from '../../../schema/json-text.ts'
import { readElements } from '../../../schema/nested.ts'
import { Kind, type Node } from '../../../schema/node.ts'
import type { Context } from '../../context.ts'
import { think } from '../../marks/vocabulary.ts'
import { stands, standsAny, take, takeRun } from '../../text/literals.ts'
import type { Pen } from '../../text/pen.ts'
import { look, runWhole } from '../../text/running.ts'
import { refuted, type Source, type Step } from '../../text/source.ts'
import { readUntil } from '../../text/value.ts'
import { readWholeArguments } from '../arguments.ts'
import type { Outcome } from '../json/json.ts'
import { isFitting } from '../members.ts'
import type { ArgumentsForm } from '../opening.ts'
import { readYaml } from './yaml.ts'

/** A YAML mapping up to the closer of the call. */
export const yamlForm: ArgumentsForm = {
  *read({ context, name, begin, closers, from }) {
    const { source } = context
    // The tag may begin a thought.
    const isDoubtful = think.open.includes(`<${name}>`)
    if (isDoubtful && !(yield* look(source, () => takeKey(source, context.nodeOf(name))))) throw refuted
    return yield* readYamlBody(context, begin(), closers, source.since(from))
  },
}

const longestKey = 64

/** Takes a declared key and its colon. */
function* takeKey(source: Source, node: Node): Step<boolean> {
  const key = yield* takeRun(source, longestKey, (code) => code === 58 || code === 10)
  return node.hasProperty(key?.replaceAll(/^["']|["']$/g, '') ?? '') && (yield* take(source, ':'))
}

/**
 * Reads arguments written as a YAML mapping, up to the closer of the call, which is left unread, and writes all but the
 * last brace. `layout` is the white space before them. Nothing is written before the closer has come, because only the
 * whole says which lines are members. Where the answer ends without one, the arguments must be plainly right.
 */
export function* readYamlBody(
  context: Pick<Context, 'source' | 'pen' | 'endedWell' | 'readInVain'>,
  node: Node,
  closers: readonly string[],
  layout: string,
): Step<Outcome> {
  const { source, pen } = context
  const start = source.mark()
  const isClosed = yield* passBody(source, closers)
  const text = dedent(layout.slice(layout.lastIndexOf('\n') + 1) + source.since(start))
  source.release()
  if (!isClosed && !(context.endedWell && endsWhole(text))) return 'cut'
  const isElements = isClosed && text.startsWith('<')
  const most = mostTokens - context.readInVain
  const budget = { tokens: most }
  const json = isElements
    ? readElements(text, node, (value) => value.trim())
    : readMembers(text, node, isClosed ? pen : undefined, budget)
  if (json === undefined) context.readInVain += most - Math.max(0, budget.tokens)
  if (!isClosed && (json === undefined || !isFitting(node, json))) return 'cut'
  return json === undefined ? 'stuck' : runWhole(json, (inner) => readWholeArguments(inner, node, pen))
}

/** Whether the last value of a body without its closer had its own: a quote, a bracket, or the end of a word's line. */
function endsWhole(text: string): boolean {
  const last = text.trimEnd().split('\n').at(-1) ?? ''
  if (/:\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\[.*\]|\{.*\})$/.test(last)) return true
  return /\n\s*$/.test(text) && /:\s*(?:-?\d[\d.]*|true|false|null)$/.test(last)
}

/** Of one call, less those of the answer that turned out to be no YAML: finding that out costs a hundred times what the text does. */
const mostTokens = 4096

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
  const push = (piece: string): void => {
    const line = piece.lastIndexOf('\n') + 1
    isLineStart = (line > 0 || isLineStart) && piece.slice(line).trim() === ''
  }
  return yield* readUntil(source, [opener, ...closers], push, ends)
}

const keyLine = /^(["']?)([^\s"':][^"':\n]*)\1:(?=[ \t\r\n]|$)/gm

/**
 * The arguments as JSON. Each declared key at the start of a line begins a member, so that one bad member spoils no other.
 * Text that is no YAML is taken as it stands, if there is a pen to note it.
 */
function readMembers(text: string, node: Node, pen: Pen | undefined, budget: { tokens: number }): string | undefined {
  const lines = text.startsWith('{') ? [] : text.matchAll(keyLine)
  const starts = [...lines].filter(([, , key = '']) => node.hasProperty(key))
  // A key that comes twice may as well be text.
  if (new Set(starts.map(([, , key]) => key)).size < starts.length) return undefined
  const members: string[] = []
  for (let i = 0; i === 0 || i < starts.length; i++) {
    const start = i > 0 || starts[0]?.index === 0 ? starts[i] : undefined
    const member = text.slice(start?.index, starts[i + 1]?.index)
    const [line = '', , key = ''] = start ?? []
    const value = member.slice(line.length)
    const own = node.property(key)
    const isText = isTextOnly(own) && misread.test(value.trimEnd())
    let json = isText ? undefined : (readJsonMember(key, value, own) ?? readYaml(member, node, budget))
    if (json === undefined) {
      const isRaw =
        budget.tokens >= 0 &&
        line !== '' &&
        (own.types & Kind.string) !== 0 &&
        !/^\s*["']|^[ \t]*[^\s|>].*\n\S+:/.test(value)
      if (!isRaw || pen === undefined) return undefined
      pen.note('arguments_repaired', 'text as it stands')
      json = `{${JSON.stringify(key)}: ${coerceText(own, toText(value)).json}}`
    }
    members.push(json.trim().slice(1, -1))
  }
  return `{${members.join(', ')}}`
}

/** A member whose value is JSON of its kind, which YAML reads the same way: most are, and reading YAML is dear. */
function readJsonMember(key: string, value: string, { types, values }: Node): string | undefined {
  const json = value.trim()
  const isOfKind = (types & Kind.string) === 0 ? /^-?\d/.test(json) : json.startsWith('"')
  if (key === '' || values !== undefined || !isOfKind) return undefined
  return isJsonText(json) ? `{${JSON.stringify(key)}: ${json}}` : undefined
}

/** Where only a string may stand: a line that looks like more to YAML, `[sic]`, `*this*`, `#this`; a block not indented. */
const misread = /^[ \t]*(?:(?:[[{&*!]|#\S).*$|[|>][-+\d]*\s*\n\S)/

/** Text as the model wrote it: a block without its indentation, one line without the blanks around it. */
function toText(value: string): string {
  const [head, block = ''] = /^[ \t]*([|>][-+\d]*)?[ \t\r]*\n/.exec(value) ?? []
  if (head !== undefined) return dedent(value.slice(head.length)).trimEnd() + (block.includes('-') ? '' : '\n')
  return value.trim().includes('\n') ? value.replace(/^ /, '') : value.trim()
}

/** The text without the indentation of its first line. */
function dedent(text: string): string {
  const indent = /^(?:[ \t\r]*\n)*([ \t]*)/.exec(text)?.[1]?.length ?? 0
  return indent === 0 ? text : text.replace(new RegExp(`^[ \\t]{1,${indent}}`, 'gm'), '')
}
