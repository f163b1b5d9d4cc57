import { ANY } from '../../schema/compile.ts'
import type { Node } from '../../schema/node.ts'
import type { Call } from '../context.ts'
import { listKeys, nameKeys } from '../marks/vocabulary.ts'
import { endsHere, proposeJson } from '../salvage/json.ts'
import { salvage } from '../salvage/salvage.ts'
import { charsOf, skipSpace, take, takeRun } from '../text/literals.ts'
import { nowhere, type Pen } from '../text/pen.ts'
import { attempt, no, run, runWhole } from '../text/running.ts'
import { Source, type Step } from '../text/source.ts'
import { decode, readString, readWhole } from '../text/strings.ts'
import { type Outcome, readJson, takeMember } from './json/json.ts'
import { isAboutCall, isWrapper } from './members.ts'

/**
 * Reads the arguments object of the open call, except that its last brace is left to `endCall`. Takes what models put in
 * an object's place: JSON in a string (in a string), `null`, an empty string or list for no arguments.
 */
export function* readArguments(call: Call, node: Node): Step<Outcome> {
  const { source, pen } = call.context
  const code = yield* skipSpace(source)
  const from = source.position
  const outcome = yield* readObject(source, node, pen, call.context.names, () => endsHere(call, node))
  if (code !== 123 || outcome === 'complete' || outcome === 'other call') return toOutcome(outcome)
  return yield* salvage(call, node, from, outcome, proposeJson(call, node))
}

function toOutcome(outcome: Outcome | 'other call'): Outcome {
  return outcome === 'other call' ? 'stuck' : outcome
}

const noNames: ReadonlySet<string> = new Set()

/** Reads arguments that are all there. */
export function* readWholeArguments(source: Source, node: Node, pen: Pen): Step<Outcome> {
  return toOutcome(yield* readObject(source, node, pen, noNames))
}

/** Reads an object, or what stands for one. `other call`: it names another call of these tools. */
function* readObject(
  source: Source,
  node: Node,
  pen: Pen,
  names: ReadonlySet<string>,
  mayEnd?: () => Step<boolean>,
): Step<Outcome | 'other call'> {
  const code = yield* skipSpace(source)
  if (code === 34 || code === 39) return yield* readStringified(source, pen, node, code)
  if (code === -1) return 'cut'
  if (code === 123) {
    const wrapper = isOwnKey(source, node) ? 'none' : yield* takeWrapper(source, node, names)
    if (wrapper === 'call') return 'other call'
    const outcome = yield* readJson(source, node, pen, {
      holdLast: true,
      ...(wrapper === 'none' && mayEnd !== undefined && { mayEnd }),
    })
    if (wrapper === 'none' || outcome !== 'complete') return outcome
    pen.note('arguments_repaired', 'unwrapped from an object')
    return yield* passRest(source)
  }
  let json = ''
  const outcome = yield* readJson(source, node, { ...pen, write: (piece) => void (json += piece) })
  if (outcome !== 'complete') return outcome
  // Nothing, where the tool needs something, is no arguments.
  if ((json !== 'null' && json !== '[]') || node.required.length > 0) return 'stuck'
  pen.write('{')
  pen.note('arguments_repaired', `${json} to {}`)
  return 'complete'
}

/** Whether the object that stands next is plainly no wrapper; what is not at hand may be one. */
function isOwnKey({ text, at }: Source, node: Node): boolean {
  const [, key] = /^\{\s*(?:"([^"\\]*)"|[^\s"])/.exec(text.slice(at, at + 128)) ?? []
  return node.properties.length === 0 || (key !== undefined && node.hasProperty(key))
}

/** Takes what stands around the arguments proper, `{"arguments": `, or says that it names another call. */
function* takeWrapper(source: Source, node: Node, names: ReadonlySet<string>): Step<'taken' | 'none' | 'call'> {
  let isCall = false
  const taken = yield* attempt(source, function* () {
    source.at++
    for (;;) {
      let key = ''
      const isMember = yield* takeMember(source, (name) => {
        key = name
        return isAboutCall(node, name) || isWrapper(node, name) || (listKeys as readonly string[]).includes(`"${name}"`)
      })
      if (!isMember || node.hasProperty(key)) return false
      isCall ||= !isAboutCall(node, key) && !isWrapper(node, key)
      const next = yield* skipSpace(source)
      if (isWrapper(node, key)) return next === 123 && (yield* beginsArguments(source, node))
      if (next !== 34) return false
      const value = yield* readWhole(source, 34)
      isCall ||= nameKeys.has(key) && value !== undefined && names.has(value)
      if ((yield* skipSpace(source)) !== 44) return false
      source.at++
    }
  })
  return taken === true ? 'taken' : isCall ? 'call' : 'none'
}

/** Whether the object that stands next begins with a property the schema knows. */
export function* beginsArguments(source: Source, node: Node): Step<boolean> {
  const start = source.mark()
  try {
    return (yield* take(source, '{')) && (yield* takeMember(source, (key) => node.hasProperty(key)))
  } finally {
    source.goTo(start)
    source.release()
  }
}

/** Passes over what stands beside wrapped arguments, and the brace around it. */
function* passRest(source: Source): Step<Outcome> {
  for (;;) {
    const code = yield* skipSpace(source)
    if (code === -1) return 'cut'
    source.at++
    if (code === 125) return 'complete'
    if (code !== 44 || !(yield* takeMember(source, () => true))) return 'stuck'
    yield* skipSpace(source)
    const outcome = yield* readJson(source, ANY, nowhere)
    if (outcome !== 'complete') return outcome
  }
}

/** JSON that was put into a string: it is read as it is unescaped, so long arguments stream all the same. */
function* readStringified(source: Source, pen: Pen, node: Node, quote: number): Step<Outcome> {
  source.at++
  const inner = new Source()
  const reading = readInner(inner, node, pen)
  let result = run(inner, reading)
  pen.note('arguments_repaired', 'unwrapped from a string')
  const isClosed = yield* readString(source, quote, (json) => {
    if (!inner.push(decode(json)) && result.done !== true) result = run(inner, reading)
  })
  if (!isClosed) return 'cut'
  inner.end()
  while (result.done !== true) result = run(inner, reading)
  // The string has ended, so nothing was cut off: what it holds is no arguments.
  return result.value === 'cut' ? 'stuck' : result.value
}

function* readInner(source: Source, node: Node, pen: Pen): Step<Outcome> {
  const code = yield* skipSpace(source)
  if (code === -1) {
    if (node.required.length > 0) return 'stuck'
    pen.write('{')
    return 'complete'
  }
  if (code === 34) {
    const inner = yield* readWhole(source, 34)
    return inner === undefined ? 'stuck' : runWhole(decode(inner), (nested) => readInner(nested, node, pen))
  }
  if (code !== 123) return 'stuck'
  const outcome = toOutcome(yield* readObject(source, node, pen, noNames))
  if (outcome !== 'complete') return outcome
  // Nothing may follow but braces too many.
  while ((yield* skipSpace(source)) === 125) source.at++
  return source.at < source.text.length ? 'stuck' : 'complete'
}

/** Passes over a code fence's opening line, if one stands here. */
export function skipFence(source: Source): Step<boolean> {
  return source.passSpace() && source.text.charCodeAt(source.at) !== 96 ? no : takeFence(source)
}

function* takeFence(source: Source): Step<boolean> {
  if ((yield* skipSpace(source)) !== 96) return false
  const isFence = yield* attempt(source, function* () {
    const ticks = yield* takeRun(source, maxFence, (code) => code !== 96)
    return ticks !== undefined && ticks.length >= 3
  })
  if (isFence === true) yield* takeRun(source, maxFence, (code) => !isInfo(code))
  return isFence === true
}

const isInfo = charsOf(/[a-z_-]/i)
const maxFence = 64
