import { ANY } from '../../../schema/compile.ts'
import type { Node } from '../../../schema/node.ts'
import type { Call, Context } from '../../context.ts'
import { argumentsKeys, nameKeys, otherKeys, shellKeys } from '../../marks/vocabulary.ts'
import { readGap } from '../../text/gap.ts'
import { charsOf, peek, skipSpace, standsAny } from '../../text/literals.ts'
import { nowhere } from '../../text/pen.ts'
import { Pieces } from '../../text/pieces.ts'
import type { Step } from '../../text/source.ts'
import { decode, readWhole } from '../../text/strings.ts'
import { readLexeme } from '../../text/words.ts'
import { readArguments, runWhole } from '../arguments.ts'
import { findProperty } from '../members.ts'
import { type Outcome, readJson } from './json.ts'

/** What an envelope says besides its name before its arguments are known: each member's JSON. */
type Members = Map<string, string>

/**
 * Reads one envelope, `{"name": …, "arguments": {…}}`, keys in any order and under the names models give them. The call
 * begins when its name is known and its arguments start; what comes before is kept until then. `none`: it has no name, or no
 * arguments where the tool needs some. Refutes a name that may not be called.
 */
export function* readEnvelope({ context, dialect, closers }: Call): Step<Outcome | 'none'> {
  const { source } = context
  const spec = dialect.grammar.arguments
  const keyed = spec.as === 'envelope' && spec.keyed === true
  const beside: Members = new Map()
  let name: string | undefined
  let early: string | undefined
  let begun = false
  let depth = 0

  function begin(written: string): Node {
    begun = true
    return context.startCall(written, dialect)
  }

  if ((yield* skipSpace(source)) !== 123) return 'none'
  source.at++
  depth++

  for (;;) {
    yield* readGap(source, context.pen)
    const code = source.at < source.text.length ? source.text.charCodeAt(source.at) : -1
    if (code === 125) {
      source.at++
      if (--depth > 0) continue
      if (begun) return 'complete'
      if (name === undefined) return 'none'
      const found =
        early === undefined ? findArguments(context, name, beside) : { json: early, note: 'arguments_first' as const }
      const node = begin(name)
      if (found.note !== undefined) context.pen.note(found.note)
      return runWhole(found.json, (inner) => readArguments({ source: inner, pen: context.pen }, node, []))
    }
    if (code === -1) return begun ? (context.endedWell ? 'complete' : 'cut') : 'none'
    if (code === 44) {
      source.at++
      continue
    }
    if (!isQuote(code) && !isWordStart(code)) {
      if (!begun) return 'none'
      if (!(yield* standsAny(source, closers))) return 'stuck'
      context.pen.note('json_repaired', 'missing brackets')
      return 'complete'
    }

    const from = source.position
    const json = isQuote(code) ? yield* readWhole(source, code) : undefined
    const key = isQuote(code) ? textOf(json) : yield* readLexeme(source)
    if (key === undefined) return begun ? 'cut' : 'none'
    // No key, but what a string without its end took in.
    if (/[\n<>{}[\]]/.test(key) && source.since(from) !== `"${json}"`) return begun ? 'stuck' : 'none'
    yield* readGap(source, context.pen)
    const colon = yield* peek(source)
    if (colon !== 58) return begun ? (colon === -1 ? 'cut' : 'stuck') : 'none'
    source.at++
    yield* readGap(source, context.pen)
    const value = yield* peek(source)

    if (begun) {
      const outcome = yield* readJson(source, ANY, { ...nowhere, callIn: context.pen.callIn }, { closers })
      if (outcome !== 'complete') return outcome
    } else if (keyed && value === 123) {
      const outcome = yield* readArguments(context, begin(key), closers)
      if (outcome !== 'complete') return outcome
    } else if (isQuote(value) && nameKeys.has(key) && name === undefined) {
      name = textOf(yield* readWhole(source, value))
      if (name === undefined) return 'none'
      if (!context.mayBeCalled(name, dialect)) return 'none'
    } else if (value === 123 && shellKeys.has(key)) {
      source.at++
      depth++
    } else if (argumentsKeys.has(key) && name !== undefined) {
      const outcome = yield* readArguments(context, begin(name), closers)
      if (outcome !== 'complete') return outcome
    } else {
      const json = new Pieces()
      // What no call has says that this is none: a tool's declaration, or data.
      if (context.trust !== 'firm' && key === 'description') return 'none'
      if (context.trust === 'unmarked' && !otherKeys.has(key) && !argumentsKeys.has(key)) return 'none'
      const { endOfPlain, callIn } = context.pen
      const pen = { ...nowhere, endOfPlain, callIn, write: (piece: string) => json.push(piece) }
      if ((yield* readJson(source, ANY, pen, { closers })) !== 'complete') return 'none'
      if (argumentsKeys.has(key)) early = json.toString()
      else beside.set(key, json.toString())
    }
  }
}

interface Found {
  readonly json: string
  readonly note?: 'arguments_beside_name'
}

/**
 * The arguments of an envelope that has no member for them: its other members, as far as the tool declares them, or those
 * of an object under a key nobody knows. Never silently none: with members that mean nothing, or none where the tool needs
 * some, it is no call.
 */
function findArguments(context: Context, name: string, beside: Members): Found {
  if (context.trust === 'unmarked') context.refuse('no-arguments')
  const node = context.nodeOf(name)
  const declared = [...beside].filter(([key]) => findProperty(node, key) !== undefined)
  if (declared.length > 0) {
    const members = declared.map(([key, json]) => `${JSON.stringify(key)}: ${json}`)
    return { json: `{${members.join(', ')}}`, note: 'arguments_beside_name' }
  }
  const others = [...beside].filter(([key]) => !otherKeys.has(key))
  const [inner] = others.filter(([, json]) => isFor(node, json)).map(([, json]) => json)
  // Where the mark is ordinary text, an object among other members is data: a package's dependencies.
  if (inner !== undefined && (context.trust === 'firm' || others.length === 1))
    return { json: inner, note: 'arguments_beside_name' }
  if (others.length > 0 || node.required.length > 0) context.refuse('no-arguments')
  return { json: '{}' }
}

/** Whether this is an object, or one in a string, whose first key the tool declares. */
function isFor(node: Node, json: string): boolean {
  const text = json.startsWith('"') ? (JSON.parse(json) as string) : json
  const key = /^\s*\{\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
  return key !== undefined
    ? findProperty(node, key) !== undefined
    : /^\s*\{\s*\}\s*$/.test(text) && node.required.length === 0
}

const isWordStart = charsOf(/[a-z_]/i)

function isQuote(code: number): boolean {
  return code === 34 || code === 39
}

function textOf(json: string | undefined): string | undefined {
  return json === undefined ? undefined : decode(json)
}
