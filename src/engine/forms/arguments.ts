import type { Node } from '../../schema/node.ts'
import type { Context } from '../context.ts'
import { charsOf, skipSpace, takeRun } from '../text/literals.ts'
import type { Pen } from '../text/pen.ts'
import { attempt, no, run } from '../text/running.ts'
import { Source, type Step } from '../text/source.ts'
import { decode, readString, readWhole } from '../text/strings.ts'
import { type Outcome, readJson } from './json/json.ts'

/**
 * Reads the arguments object of the open call, except that its last brace is left to `endCall`. Takes what models put in
 * an object's place: JSON in a string (in a string), `null`, an empty string or list for no arguments.
 */
export function* readArguments(
  { source, pen }: Pick<Context, 'source' | 'pen'>,
  node: Node,
  closers: readonly string[],
): Step<Outcome> {
  const code = yield* skipSpace(source)
  if (code === 123) return yield* readJson(source, node, pen, { holdLast: true, closers })
  if (code === 34 || code === 39) return yield* readStringified(source, pen, node, code)
  if (code === -1) return 'cut'
  let json = ''
  const outcome = yield* readJson(source, node, { ...pen, write: (piece) => void (json += piece) })
  if (outcome !== 'complete') return outcome
  // Nothing, where the tool needs something, is no arguments.
  if ((json !== 'null' && json !== '[]') || node.required.length > 0) return 'stuck'
  pen.write('{')
  pen.note('arguments_repaired', `${json} to {}`)
  return 'complete'
}

/** JSON that was put into a string: it is read as it is unescaped, so long arguments stream all the same. */
function* readStringified(source: Source, pen: Pen, node: Node, quote: number): Step<Outcome> {
  source.at++
  const inner = new Source()
  const reading = readInner(inner, node, pen)
  let result = run(inner, reading)
  pen.note('arguments_repaired', 'unwrapped from a string')
  const unescaped = yield* readString(source, quote, (json) => {
    if (!inner.push(decode(json)) && result.done !== true) result = run(inner, reading)
  })
  if (unescaped === undefined) return 'cut'
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
  const outcome = yield* readJson(source, node, pen, { holdLast: true })
  if (outcome !== 'complete') return outcome
  // Nothing may follow but braces too many.
  while ((yield* skipSpace(source)) === 125) source.at++
  return source.at < source.text.length ? 'stuck' : 'complete'
}

/** Runs a reader over text that is all there. */
export function runWhole<T>(text: string, read: (source: Source) => Step<T>): T {
  const source = new Source()
  source.push(text)
  source.end()
  const reading = read(source)
  for (;;) {
    const result = run(source, reading)
    if (result.done === true) return result.value
  }
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
