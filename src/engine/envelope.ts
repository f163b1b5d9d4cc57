import type { Dialect } from '../dialects/dialect.ts'
import { ANY } from '../schema/compile.ts'
import type { Node } from '../schema/node.ts'
import { readArguments, runWhole } from './arguments.ts'
import type { Context } from './context.ts'
import { readGap } from './gap.ts'
import { type Outcome, readJson } from './json.ts'
import { nowhere } from './pen.ts'
import { refuted, type Source, type Step, skipSpace, stands } from './source.ts'
import { readDecoded } from './strings.ts'
import { argumentsKeys, nameKeys, shellKeys } from './vocabulary.ts'
import { readLexeme } from './words.ts'

/**
 * Reads one envelope, `{"name": …, "arguments": {…}}`, keys in any order and under the names models give them. The call
 * begins when its name is known and its arguments start; arguments that come first are kept until then. Refutes what has
 * no name, or a name that may not be called.
 */
export function* readEnvelope(context: Context, dialect: Dialect, closers: readonly string[]): Step<Outcome> {
  const { source } = context
  let name: string | undefined
  let early: string | undefined
  let begun = false
  let depth = 0
  const spec = dialect.grammar.arguments
  const keyed = spec.as === 'envelope' && spec.keyed === true

  function begin(): Node {
    if (name === undefined) throw refuted
    begun = true
    return context.startCall(name, dialect)
  }

  if ((yield* skipSpace(source)) !== 123) throw refuted
  source.at++
  depth++

  for (;;) {
    yield* readGap(source, context.pen)
    const code = source.at < source.text.length ? source.text.charCodeAt(source.at) : -1
    if (code === 125) {
      source.at++
      if (--depth > 0) continue
      if (!begun) {
        const node = begin()
        if (early !== undefined) return replayArguments(context, node, early)
        context.pen.write('{')
      }
      return 'complete'
    }
    if (code === -1) return begun ? (context.endedWell ? 'complete' : 'cut') : lost()
    if (code === 44) {
      source.at++
      continue
    }
    if (code !== 34 && code !== 39 && !isWordStart(code)) {
      if (!begun) return lost()
      for (const closer of closers) {
        if (!(yield* stands(source, closer))) continue
        context.pen.note('json_repaired', 'missing brackets')
        return 'complete'
      }
      return 'stuck'
    }

    const key = yield* readText(source, code)
    if (key === undefined) return begun ? 'cut' : lost()
    const colon = yield* skipSpace(source)
    if (colon !== 58) return begun ? (colon === -1 ? 'cut' : 'stuck') : lost()
    source.at++
    const value = yield* skipSpace(source)
    const isString = value === 34 || value === 39

    if (keyed && !begun && value === 123) {
      name = key
      const outcome = yield* readArguments(context, begin(), closers)
      if (outcome !== 'complete') return outcome
    } else if (begun) {
      const outcome = yield* readJson(source, ANY, nowhere, { closers })
      if (outcome !== 'complete') return outcome
    } else if (isString && nameKeys.has(key) && name === undefined) {
      name = yield* readText(source, value)
      if (name === undefined) return lost()
      if (context.wantsKnown(dialect) && !context.isKnown(name, dialect)) context.refuse('no-tool')
    } else if (key === 'description' && context.trust !== 'firm') {
      // A tool's declaration looks much like a call of it.
      return lost()
    } else if (value === 123 && shellKeys.has(key)) {
      source.at++
      depth++
    } else if (argumentsKeys.has(key)) {
      if (name !== undefined) {
        const outcome = yield* readArguments(context, begin(), closers)
        if (outcome !== 'complete') return outcome
      } else {
        let json = ''
        const outcome = yield* readJson(source, ANY, { ...nowhere, write: (piece) => void (json += piece) })
        if (outcome !== 'complete') return lost()
        early = json
      }
    } else if ((yield* readJson(source, ANY, nowhere, { closers })) !== 'complete') return lost()
  }
}

function lost(): never {
  throw refuted
}

/** Arguments that came before the name: read again, now that their types are known. */
function replayArguments({ pen }: Context, node: Node, json: string): Outcome {
  pen.note('arguments_first')
  return runWhole(json, (source) => readArguments({ source, pen }, node, []))
}

function isWordStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95
}

/** A short string, quoted either way, or a bare word. */
function* readText(source: Source, code: number): Step<string | undefined> {
  if (code !== 34 && code !== 39) return yield* readLexeme(source)
  let text = ''
  source.at++
  return (yield* readDecoded(source, code, (piece) => void (text += piece))) ? text : undefined
}
