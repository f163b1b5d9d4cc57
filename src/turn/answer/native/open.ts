import { cleanName, matchName } from '../../../engine/marks/names.ts'
import { inputKey } from '../../../protocol/custom.ts'
import { parseObject } from '../../../protocol/json.ts'
import type { ProviderMetadata } from '../../../protocol/provider-metadata.ts'
import type { Tool } from '../../../protocol/tool.ts'
import type { UpstreamEvent } from '../../../upstreams/upstream.ts'
import { canonicalJson } from '../quoted/canonical.ts'
import { longestNothing, type NativeArguments } from './arguments.ts'

export type Piece = Extract<UpstreamEvent, { type: 'call' }>

/** A call as far as it has come. */
export interface Open {
  readonly index: number
  readonly place: number | undefined
  /** As the service said it, to know its pieces by. */
  id: string | undefined
  name: string | undefined
  /** All its arguments as they came; `early` ones came before its name. */
  said: string
  early: string
  /** What it says is no JSON but the text of a custom tool; it `isBegun` once some of that was read. */
  isText: boolean
  isBegun: boolean
  tool: Tool | undefined
  metadata: ProviderMetadata | undefined
  arguments: NativeArguments | undefined
  /** Its start has left. */
  hasStarted: boolean
  /** A call of a tool that may not be called now. */
  barred: boolean
  /** One call is allowed, and this is not the first. */
  readonly second: boolean
  noted: number
}

export function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== ''
}

/** Whether a piece that seems to belong to a call begins another one. */
export function isOther(call: Open, { index, id, name, json = '' }: Piece, names: ReadonlySet<string>): boolean {
  if (!isGiven(name) || call.name === undefined) return false
  const [before, now] = [call.name, name].map((written) => matchName(written, names)?.name ?? written)
  const isOtherTool = before !== now
  const areTools = names.has(before ?? '') && names.has(now ?? '')
  if (isOtherTool && areTools && !isBeginning(call.name + name, names)) return true
  const isBegun = json.trimStart().startsWith('{')
  if (isGiven(id) && call.id !== undefined && call.id !== id) return isBegun || json === '' || isWhole(call)
  if (!isWhole(call)) return false
  // One that says its place again says itself again, unless it says something else.
  return isOtherTool || (isBegun && (index === undefined || canonicalJson(json) !== canonicalJson(call.said)))
}

/** Whether this is a tool's name, or the beginning of one. */
export function isBeginning(written: string, names: ReadonlySet<string>): boolean {
  const clean = cleanName(written)
  return clean !== '' && (names.has(clean) || [...names].some((name) => name.startsWith(clean)))
}

/** Whether both say the same, in whatever words. */
export function isSame({ name, said }: Open, piece: Piece): boolean {
  const [before, now] = [said, piece.json ?? ''].map((json) => canonicalJson(json.trim() === '' ? '{}' : json))
  return name === piece.name && before === now
}

/** Whether its arguments are all there, as far as can be seen. Long ones are left to their reader. */
export function isWhole({ said, arguments: read }: Pick<Open, 'said' | 'arguments'>): boolean {
  if (read !== undefined && (read.isComplete || said.length > longestNothing)) return read.isComplete
  return said.trimEnd().endsWith('}') && parseObject(said) !== undefined
}

/**
 * Some services say all of the arguments again with every piece. Where what was said would let an object follow, it may be
 * one inside of it that begins alike.
 */
export function isRepeating(said: string, piece: string): boolean {
  if (piece.length <= said.length || !/^\s*\{./s.test(said) || !piece.startsWith(said)) return false
  const quotes = said.replace(/\\./gs, '').split('"').length - 1
  return quotes % 2 === 1 || !/[:[,]\s*$/.test(said)
}

/** Whether the text of a custom tool came as it is: services say so, and models write it where JSON belongs. */
export function takesText(call: Open): boolean {
  call.isText ||= call.tool?.kind === 'custom' && !call.isBegun && /^\s*[^\s{"]/.test(call.said)
  return call.isText
}

/** More of a text, as arguments have it. */
export function toInput(call: Open, text: string): string {
  const opening = call.isBegun ? '' : `{${JSON.stringify(inputKey)}:"`
  call.isBegun = true
  return opening + JSON.stringify(text).slice(1, -1)
}
