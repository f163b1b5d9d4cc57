import { ANY } from '../../../schema/compile.ts'
import type { Node } from '../../../schema/node.ts'
import type { Call, Context } from '../../context.ts'
import { argumentsKeys, nameKeys, otherKeys, shellKeys } from '../../marks/vocabulary.ts'
import { endsOpen } from '../../salvage/json.ts'
import { skipSpace, take, takeRun } from '../../text/literals.ts'
import { ignore, nowhere } from '../../text/pen.ts'
import { Pieces } from '../../text/pieces.ts'
import { look, need, runWhole } from '../../text/running.ts'
import type { Source, Step } from '../../text/source.ts'
import { decode, readWhole } from '../../text/strings.ts'
import { readUntil } from '../../text/value.ts'
import { readArguments, readWholeArguments } from '../arguments.ts'
import { findProperty, isFitting } from '../members.ts'
import { type Outcome, readJson, takeMember } from './json.ts'

/** What an envelope says besides its name before its arguments are known: each member's JSON. */
type Members = Map<string, string>

/**
 * Reads one envelope, `{"name": …, "arguments": {…}}`, keys in any order and under the names models give them. The call
 * begins when its name is known and its arguments start; what comes before is kept until then. `none`: it has no name, or no
 * arguments where the tool needs some. Refutes a name that may not be called.
 */
export function* readEnvelope(call: Call): Step<Outcome | 'none'> {
  const { context } = call
  const { source } = context
  if ((yield* skipGap(source)) !== 123) return 'none'
  const start = source.mark()
  try {
    const envelope = new Envelope(call)
    const outcome = yield* envelope.read()
    if (outcome !== 'none' || context.trust !== 'firm') return outcome
    source.goTo(start)
    return (yield* takeHead(context, envelope)) ? yield* envelope.readRest() : 'none'
  } finally {
    source.release()
  }
}

/** Passes over white space and comments; the next character's code, or -1 at the end. */
function* skipGap(source: Source): Step<number> {
  for (;;) {
    const code = yield* skipSpace(source)
    if (code !== 47) return code
    if (yield* take(source, '//')) yield* takeRun(source, Infinity, (code) => code === 10)
    else if (!(yield* take(source, '/*'))) return code
    else yield* readUntil(source, ['*/'], ignore, () => take(source, '*/'))
  }
}

/** An envelope while it is read. */
class Envelope {
  readonly #call: Call
  readonly #beside: Members = new Map()
  #name: string | undefined
  #early: string | undefined
  #depth = 1

  constructor(call: Call) {
    this.#call = call
  }

  nameIs(name: string): void {
    this.#name = name
    this.#depth = 1
  }

  *read(): Step<Outcome | 'none'> {
    const { context, dialect } = this.#call
    const { source } = context
    source.at++
    for (;;) {
      const code = yield* skipGap(source)
      if (code === 44) source.at++
      else if (code === 125) {
        source.at++
        if (--this.#depth === 0) return this.#name === undefined ? 'none' : this.#end(this.#name)
      } else {
        let key = ''
        const keep = (name: string): boolean => {
          key = name
          return true
        }
        if (!(yield* takeMember(source, keep))) return 'none'
        const value = yield* skipGap(source)
        const spec = dialect.grammar.arguments
        if (spec.as === 'envelope' && spec.keyed === true && value === 123) {
          this.#name = key
          return yield* this.readRest()
        }
        if (isQuote(value) && nameKeys.has(key) && this.#name === undefined) {
          const name = yield* readWhole(source, value)
          if (name === undefined || !context.mayBeCalled(decode(name), dialect)) return 'none'
          this.#name = decode(name)
        } else if (value === 123 && shellKeys.has(key)) {
          source.at++
          this.#depth++
        } else if (argumentsKeys.has(key) && this.#name !== undefined) return yield* this.readRest()
        else if (!(yield* this.#keep(key))) return 'none'
      }
    }
  }

  /** From the arguments on: they stand next. */
  *readRest(): Step<Outcome> {
    const { context, dialect } = this.#call
    const { source } = context
    const node = context.startCall(this.#name ?? '', dialect)
    const outcome = yield* readArguments(this.#call, node)
    if (outcome !== 'complete') return outcome
    for (let open = this.#depth; open > 0; ) {
      const code = yield* skipGap(source)
      if (code === -1) return context.endedWell ? 'complete' : 'cut'
      if (code === 125) open--
      if (code === 125 || code === 44) source.at++
      else if (code === 34 || code === 39) {
        if (!(yield* takeMember(source, () => true)))
          return source.ended && source.at >= source.text.length ? 'cut' : 'stuck'
        yield* skipSpace(source)
        const beside = yield* readJson(source, ANY, nowhere)
        if (beside !== 'complete') return beside
      } else {
        // What stood around the arguments may be among them.
        const isClosed = isFitting(node, `${context.transcript.written}}`) && (yield* endsOpen(this.#call))
        if (isClosed) context.pen.note('json_repaired', 'missing brackets')
        return isClosed ? 'complete' : 'stuck'
      }
    }
    return 'complete'
  }

  /** Keeps a member for later; false where it says that this is no call: a tool's declaration, or data. */
  *#keep(key: string): Step<boolean> {
    const { context } = this.#call
    if (context.trust !== 'firm' && key === 'description') return false
    if (context.trust === 'unmarked' && !otherKeys.has(key) && !argumentsKeys.has(key)) return false
    const json = new Pieces()
    const pen = { ...nowhere, write: (piece: string) => json.push(piece) }
    if ((yield* readJson(context.source, ANY, pen)) !== 'complete') return false
    if (argumentsKeys.has(key)) this.#early = json.toString()
    else this.#beside.set(key, json.toString())
    return true
  }

  /** The envelope is over, and its arguments stood before its name, or beside it. */
  #end(name: string): Outcome {
    const { context, dialect } = this.#call
    const found =
      this.#early === undefined
        ? findArguments(context, name, this.#beside)
        : { json: this.#early, note: 'arguments_first' as const }
    const node = context.startCall(name, dialect)
    if (found.note !== undefined) context.pen.note(found.note)
    return runWhole(`${found.json}\n`, (inner) => readWholeArguments(inner, node, context.pen))
  }
}

const either = (words: Iterable<string>): string => `["'\`]{0,2}(?:${[...words].join('|')})["'\`]{0,2}`
const head = new RegExp(
  `^\\{?\\s*${either(nameKeys)}\\s*[:=]*\\s*["'\`]{0,2}([\\w.-]+)["'\`]{0,2}\\s*,*\\s*${either(argumentsKeys)}\\s*[:=]*\\s*(?=\\{)`,
)
const longestHead = 256

/** Takes the beginning of an envelope in which a sign was lost or written twice, up to its arguments. */
function* takeHead(context: Context, envelope: Envelope): Step<boolean> {
  const { source } = context
  const isNamed = yield* look(source, function* () {
    source.at++
    yield* skipSpace(source)
    const key = yield* takeRun(source, longestHead, (code) => !/["'`\w]/.test(String.fromCharCode(code)))
    return nameKeys.has(key?.replace(/["'`]/g, '') ?? '')
  })
  if (!isNamed) return false
  yield* need(source, longestHead)
  const [whole = '', name = ''] = head.exec(source.ahead(longestHead)) ?? []
  if (context.hasTools && !context.names.has(name)) return false
  source.at += whole.length
  envelope.nameIs(name)
  return true
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

function isQuote(code: number): boolean {
  return code === 34 || code === 39
}
