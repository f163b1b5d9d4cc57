import { endsInside, mayStandAt, peek, skipSpace, stands, take, takeRun } from '../text/literals.ts'
import { attempt, need, nothing } from '../text/running.ts'
import { isSpace, type Source, type Step } from '../text/source.ts'

/** A template cut into what must stand there and what is read from there. */
export type Token = { readonly literal: string } | { readonly slot: string }

interface Compiled {
  readonly tokens: readonly Token[]
  readonly literals: readonly string[]
}

const cache = new Map<string, Compiled>()
/** Templates with a name in them are as many as there are names. */
const maxCached = 4096

/** Newlines and the seams of tags mean any white space, which may stand before it all; quotes next to a slot are optional; all else is literal. */
export function compileTemplate(template: string): Compiled {
  const known = cache.get(template)
  if (known !== undefined) return known
  const tokens = template
    .trimStart()
    .split(/(\{\w+\})/)
    .flatMap((part): Token[] => {
      const slot = /^\{(\w+)\}$/.exec(part)
      if (slot?.[1] !== undefined) return [{ slot: slot[1] }]
      return part
        .split(/\n|(?<=>|```)(?=<)|(?<=\|>)(?=\[)|(?<=\])(?=<\|)/)
        .map((line) => line.replace(/^["']|["']$/g, '').trimEnd())
        .filter((line) => line.trim() !== '')
        .map((literal) => ({ literal }))
    })
  const compiled = { tokens, literals: tokens.flatMap((token) => ('literal' in token ? [token.literal] : [])) }
  if (cache.size >= maxCached) cache.clear()
  cache.set(template, compiled)
  return compiled
}

export function printTemplate(template: string, slots: Readonly<Record<string, string>>): string {
  return !template.includes('{')
    ? template
    : template.replace(/\{(\w+)\}/g, (whole, slot: string) => slots[slot] ?? whole)
}

/** All literals of a template. */
export function literalsOf(template: string): readonly string[] {
  return compileTemplate(template).literals
}

/** The tokens after the opener: all of them where the template begins with a slot. */
export function tokensAfterOpener(template: string): readonly Token[] {
  const { tokens } = compileTemplate(template)
  return openerOf(template) === '' ? tokens : tokens.slice(1)
}

/** The literal a template begins with: what the scanner looks for. Empty when it begins with a slot. */
export function openerOf(template: string): string {
  const [first] = compileTemplate(template).tokens
  return first !== undefined && 'literal' in first ? first.literal : ''
}

const slotEnds = '<>{}[]()"\'`,=|｜\\ \t\n\r'
const maxSlot = 256

/**
 * The text of a slot: up to the closing tag that is to follow it, else up to a character no name has. Surrounding quotes
 * and white space are not part of it.
 */
function* readSlot(source: Source, name: string, next: string): Step<string | undefined> {
  const end = next.charAt(0)
  yield* skipSpace(source)
  if (next.startsWith('</')) return yield* readTagged(source, next)
  const first = yield* peek(source)
  const quoted = first === 34 || first === 39
  if (quoted) source.at++
  const ends = /\w/.test(end) ? slotEnds : slotEnds + end
  const run = yield* takeRun(source, maxSlot, (code) =>
    quoted ? code === first || code === 10 : ends.includes(String.fromCharCode(code)),
  )
  if (run === undefined) return undefined
  // Blanks after a bare name, unless they lead up to an attribute of its tag.
  if (!quoted && isSpace(yield* peek(source))) yield* attempt(source, () => skipToSign(source))
  const text = run.trim().replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const last = yield* peek(source)
  if (last === 34 || last === 39) source.at++
  // No name begins like a closing tag.
  return (text === '' && name !== 'id') || text.startsWith('/') ? undefined : text
}

/** One line before a closing tag. */
function* readTagged(source: Source, close: string): Step<string | undefined> {
  let text = ''
  while (!(yield* stands(source, close))) {
    const code = yield* peek(source)
    // Half of the closing tag at the very end is the end, not something else.
    if (endsInside(source, [close])) source.at = source.text.length
    if (source.at >= source.text.length || text.length > maxSlot || (yield* opensTag(source))) return undefined
    if (code === 10) {
      yield* skipSpace(source)
      if (!(yield* stands(source, close))) return undefined
      break
    }
    text += source.text.charAt(source.at)
    source.at++
  }
  text = text.replace(/(?:\\n)+$/, '').trim()
  return text === '' ? undefined : text.replace(/^(["'])(.*)\1$/, '$2')
}

/** Whether a tag begins here, of whatever name. */
function* opensTag(source: Source): Step<boolean> {
  if (source.text.charCodeAt(source.at) !== 60) return false
  yield* need(source, 2)
  return /[a-z/|｜]/i.test(source.text.charAt(source.at + 1))
}

function* skipToSign(source: Source): Step<boolean> {
  const next = yield* skipSpace(source)
  return next < 97 || next > 122
}

/**
 * Reads the rest of a tag or header; undefined when something else stands there. Attributes we did
 * not ask for before a closing `>` are passed over and returned under their names.
 */
export function* readTokens(source: Source, tokens: readonly Token[]): Step<Map<string, string> | undefined> {
  const start = source.mark()
  try {
    return yield* readEach(source, tokens, start)
  } finally {
    source.release()
  }
}

function* readEach(source: Source, tokens: readonly Token[], start: number): Step<Map<string, string> | undefined> {
  const slots = new Map<string, string>()
  for (const [i, token] of tokens.entries()) {
    if ('slot' in token) {
      const after = tokens[i + 1]
      const text = yield* readSlot(
        source,
        token.slot,
        after !== undefined && 'literal' in after ? after.literal.trimStart() : '',
      )
      if (text === undefined) return undefined
      // `<function=ping/>`: no name ends like this.
      const isClosed = token.slot === 'name' && text.endsWith('/')
      if (isClosed) slots.set('/', '')
      slots.set(token.slot, isClosed ? text.slice(0, -1) : text)
      continue
    }
    const spaced = isSpace(token.literal.charCodeAt(0))
    if (!spaced) yield* skipSpace(source)
    if (token.literal.startsWith('<')) yield* skipWrittenNewlines(source)
    if (yield* take(source, token.literal)) continue
    // The answer ends inside the tag.
    if (endsInside(source, [token.literal])) {
      source.at = source.text.length
      return undefined
    }
    if (token.literal === '>' && (yield* take(source, '/>'))) {
      slots.set('/', '')
      continue
    }
    // `<function=x` without its `>`: the next tag says where it ended.
    if (token.literal === '>' && i === tokens.length - 1 && (yield* peek(source)) === 60) {
      if (!/^\S+\r?\n\s*$/.test(source.since(start))) slots.set('unclosed', '')
      continue
    }
    const last = tokens.at(-1)
    if (
      i > 0 &&
      last !== undefined &&
      'literal' in last &&
      last.literal.includes('>') &&
      (yield* readAttributes(source, last.literal, slots))
    )
      return slots
    // A key whose value never came, `<arg_key>room</arg_key></tool_call>`, or came without its tag: `</arg_key>den`.
    if (slots.has('key') && i > 1) {
      yield* need(source, token.literal.length + 1)
      const isOdd = source.ahead(token.literal.length + 1).includes(token.literal.replace(/^\W+|\W+$/g, ''))
      if (isOdd || i < tokens.length - 1 || [60, -1].includes(yield* peek(source))) slots.set('orphan', '')
      return slots
    }
    return undefined
  }
  return slots
}

/** Newlines some services write as a backslash and an n between tags. */
export function skipWrittenNewlines(source: Source): Step<void> {
  return mayStandAt(source.text, source.at, '\\n') ? takeWrittenNewlines(source) : nothing
}

function* takeWrittenNewlines(source: Source): Step<void> {
  while (yield* take(source, '\\n')) yield* skipSpace(source)
}

const maxAttributes = 256
const attribute = /([\w:-]+)\s*=\s*(?:(["'])(.*?)\2|([^\s"']*))/g

/** Attributes up to `end` on the same line, as a tag may carry more of them than we know. */
function* readAttributes(source: Source, end: string, slots: Map<string, string>): Step<boolean> {
  const text = yield* attempt(source, () => takeAttributes(source, end))
  if (text === undefined) return false
  for (const [, name = '', , quoted, bare = ''] of text.matchAll(attribute)) slots.set(name, quoted ?? bare)
  return true
}

function* takeAttributes(source: Source, end: string): Step<string | undefined> {
  let text = ''
  let quote = 0
  while (quote !== 0 || !(yield* take(source, end))) {
    const code = yield* peek(source)
    if (code === -1 || code === 10 || (code === 60 && quote === 0) || text.length > maxAttributes) return undefined
    if (code === quote) quote = 0
    else if (quote === 0 && (code === 34 || code === 39) && text.trimEnd().endsWith('=')) quote = code
    text += source.text.charAt(source.at)
    source.at++
  }
  return text
}
