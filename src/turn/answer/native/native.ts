import { matchName } from '../../../engine/marks/names.ts'
import { asFunction } from '../../../protocol/custom.ts'
import type { Event, FinishReason } from '../../../protocol/event.ts'
import { callsOf } from '../../../protocol/message.ts'
import { joinMetadata } from '../../../protocol/provider-metadata.ts'
import type { Request } from '../../../protocol/request.ts'
import { callableTools, type Tool } from '../../../protocol/tool.ts'
import type { Writable } from '../../../protocol/writable.ts'
import { compileParameters } from '../../../schema/compile.ts'
import { createNativeArguments } from './arguments.ts'
import {
  isBeginning,
  isGiven,
  isOther,
  isRepeating,
  isSame,
  isWhole,
  type Open,
  type Piece,
  takesText,
  toInput,
} from './open.ts'

/** Puts native calls together from the pieces a service sends, whatever it left out, said twice or said wrongly. */
export interface NativeCalls {
  push(piece: Piece): readonly Event[]
  end(how: FinishReason | 'died'): readonly Event[]
  /** A second call began where one is allowed, and the first is whole: nothing further can matter. */
  readonly done: boolean
  /** The calls that may not be made, in words. */
  leftOut(): string
}

export interface NativeOptions {
  readonly newId: () => string
  /** The tools of the request. */
  readonly tools?: readonly Tool[]
  /** The only ones that may be called. */
  readonly callable?: ReadonlySet<string> | undefined
  /** One call an answer. */
  readonly single?: boolean
  /** Ids that stand for other calls already. */
  readonly takenIds?: () => Iterable<string>
}

/**
 * vLLM's ids begin alike for longer than some clients look: OpenCode cuts ids to nine letters and digits for models with
 * Mistral's names, and would take all of these for one call.
 */
function isShared(id: string): boolean {
  return id.startsWith('chatcmpl-tool-')
}

/** What a request says about the calls of its answer. */
export function nativeOptions(request: Request, newId: () => string): NativeOptions {
  const { tools, toolChoice, messages, parallelCalls } = request
  const limited = toolChoice?.mode === 'named' || toolChoice?.mode === 'allowed' || toolChoice?.mode === 'none'
  const callable = toolChoice?.mode === 'none' ? [] : callableTools(request).map(({ name }) => name)
  return {
    newId,
    tools,
    callable: limited ? new Set(callable) : undefined,
    single: parallelCalls === false,
    takenIds: () => messages.flatMap((message) => callsOf(message).map(({ id }) => id)),
  }
}

export function createNativeCalls(options: NativeOptions): NativeCalls {
  const { newId, tools = [], callable, single = false } = options
  const names = new Set(tools.map(({ name }) => name))
  let known: Set<string> | undefined
  const taken = (): Set<string> => (known ??= new Set(options.takenIds?.()))
  const calls: Open[] = []

  function begin(place: number | undefined): Open {
    const call: Open = {
      index: calls.length,
      place,
      id: undefined,
      name: undefined,
      said: '',
      early: '',
      isText: false,
      isBegun: false,
      tool: undefined,
      metadata: undefined,
      arguments: undefined,
      hasStarted: false,
      barred: false,
      second: single && calls.some(({ barred, second }) => !barred && !second),
      noted: 0,
    }
    calls.push(call)
    return call
  }

  /**
   * The call a piece belongs to. Some services number every call 0, some number none, some number every piece, and ids go
   * missing, are repeated or change: so a call begins with a name, and where nothing else tells, once the one before it is whole.
   */
  function callOf(piece: Piece, events: Event[]): Open {
    const { index, id, name } = piece
    const last = calls.at(-1)
    const isLast = index === undefined || last?.place === index
    const known = isLast ? last : calls.findLast(({ place }) => place === index)
    const byId = isGiven(id) && id !== known?.id ? calls.find((call) => call.id === id) : undefined
    if (known === undefined) {
      const goesOn = isGiven(name)
        ? undefined
        : (byId ?? (last?.name !== undefined && !isWhole(last) ? last : undefined))
      return goesOn ?? begin(index)
    }
    if (byId !== undefined && !isOther(byId, piece, names)) return byId
    if (!isOther(known, piece, names)) return known
    const call = begin(index)
    events.push({ type: 'note', kind: 'index_repaired', index: call.index })
    return call
  }

  /** The name is known once arguments follow it: until then it may still come in pieces, or longer each time. */
  function addName(call: Open, name: string): void {
    if (call.name === undefined) call.name = name
    else if (call.arguments !== undefined) return
    else if (isBeginning(call.name + name, names)) call.name += name
    else if (!names.has(call.name) && name.startsWith(call.name) && isBeginning(name, names)) call.name = name
  }

  function settleName(call: Open, written: string, events: Event[]): void {
    const match = matchName(written, names) ?? matchName(written.split('<|')[0] ?? '', names)
    const name = match?.name ?? written
    if (match === undefined && tools.length > 0) {
      events.push({ type: 'note', kind: 'unknown_tool', detail: written, index: call.index })
    } else if (match?.corrected === true || name !== written) {
      events.push({ type: 'note', kind: 'name_corrected', detail: `${written} to ${name}`, index: call.index })
    }
    call.name = name
    call.tool = tools.find((tool) => tool.name === name)
    call.barred = callable !== undefined && !callable.has(name)
    if (call.barred) events.push({ type: 'note', kind: 'call_not_allowed', detail: name })
    call.arguments = createNativeArguments(compileParameters(call.tool && asFunction(call.tool).parameters))
  }

  function emitStart(call: Open, events: Event[]): void {
    if (call.hasStarted) return
    // Calls leave in the order they began, also where one has no arguments to begin with.
    for (const earlier of calls.slice(0, call.index)) {
      if (earlier.hasStarted || earlier.barred || earlier.name === undefined) continue
      if (earlier.arguments === undefined) settleName(earlier, earlier.name, events)
      if (!earlier.barred) emitCall(earlier, events)
    }
    emitCall(call, events)
  }

  function emitCall(call: Open, events: Event[]): void {
    if (call.name === undefined) return
    call.hasStarted = true
    let id = call.id ?? ''
    if (id === '' || taken().has(id) || isShared(id)) {
      events.push({ type: 'note', kind: id === '' ? 'id_added' : 'id_replaced', index: call.index })
      id = newId()
    }
    taken().add(id)
    const { index, name, metadata } = call
    events.push({ type: 'call-start', index, id, name, ...(metadata !== undefined && { metadata }) })
  }

  function emitArguments(call: Open, json: string, events: Event[]): void {
    if (call.barred || json === '') return
    emitStart(call, events)
    events.push({ type: 'call-delta', index: call.index, json })
  }

  function emitNotes(call: Open, events: Event[]): void {
    const notes = call.arguments?.notes ?? []
    for (; call.noted < notes.length; call.noted++) {
      const note = notes[call.noted]
      if (note !== undefined && !call.barred) events.push({ type: 'note', ...note, index: call.index })
    }
  }

  function addArguments(call: Open, piece: string, events: Event[]): void {
    const json = isRepeating(call.said, piece) ? piece.slice(call.said.length) : piece
    call.said += json
    if (call.name === undefined) {
      call.early += json
      return
    }
    if (call.arguments === undefined) settleName(call, call.name, events)
    const all = call.early + json
    call.early = ''
    const given = takesText(call) ? toInput(call, all) : all
    emitArguments(call, call.arguments?.push(given) ?? '', events)
    emitNotes(call, events)
  }

  function endCall(call: Open, how: FinishReason | 'died'): readonly Event[] {
    const events: Event[] = []
    const { index } = call
    if (call.name === undefined) {
      // Without a name they are words.
      const left = call.early.trim() === '' ? [] : [{ type: 'text-delta' as const, text: call.early }]
      return [...left, { type: 'note', kind: 'call_without_name' }]
    }
    if (call.arguments === undefined) settleName(call, call.name, events)
    if (call.barred || call.arguments === undefined) return events
    const cut = how === 'died' || how === 'length' || how === 'content_filter'
    /** What is left of a call that comes to nothing: arguments alone would mean nothing to anyone. */
    const raw = `${call.name} ${call.said}`.trimEnd()
    if (call.isText && !cut) emitArguments(call, call.arguments.push(`${toInput(call, '')}"}`), events)
    const { outcome, rest } = call.arguments.end()
    if (cut && (outcome !== 'complete' || call.said.trim() === '')) {
      // A call that has not left yet and has no arguments does not leave: it would be an empty one.
      if (!call.hasStarted && call.said.trim() === '') return [...events, { type: 'text-delta', text: call.name }]
      if (!call.hasStarted) emitArguments(call, rest, events)
      emitStart(call, events)
      return [...events, { type: 'call-error', index, raw, reason: 'cut-off' }]
    }
    emitArguments(call, rest, events)
    emitNotes(call, events)
    if (outcome === 'complete') return [...events, { type: 'call-end', index }]
    events.push({ type: 'note', kind: 'malformed_arguments', index })
    // What cannot be read is no call, but it was said.
    if (call.hasStarted) return [...events, { type: 'call-error', index, raw, reason: 'malformed' }]
    return [...events, { type: 'text-delta', text: raw }]
  }

  function addPiece(call: Open, { metadata, json = '' }: Piece, events: Event[]): void {
    if (metadata !== undefined && call.hasStarted)
      events.push({ type: 'provider-metadata', index: call.index, fields: metadata })
    else if (metadata !== undefined) call.metadata = joinMetadata(call.metadata, metadata)
    if (json !== '' || call.early !== '') addArguments(call, json, events)
  }

  const native: Writable<NativeCalls> = {
    done: false,
    push(piece) {
      const events: Event[] = []
      if (native.done) return events
      const { isLeaked } = piece
      if (isLeaked === true && calls.some((call) => isSame(call, piece)))
        return [{ type: 'note', kind: 'leak_superseded' }]
      const call = isLeaked === true ? begin(undefined) : callOf(piece, events)
      if (isLeaked === true && !call.second) events.push({ type: 'note', kind: 'leak_rescued' })
      if (isGiven(piece.id)) call.id ??= piece.id
      if (isGiven(piece.name)) addName(call, piece.name)
      call.isText ||= piece.isText === true
      if (call.second) call.said += piece.json ?? ''
      else addPiece(call, piece, events)
      native.done = calls.at(-1)?.second === true && calls.every((one) => one.barred || one.second || isWhole(one))
      return events
    },
    end(how) {
      const ends = calls.flatMap((call): readonly Event[] => (call.second ? [] : endCall(call, how)))
      return calls.some(({ second }) => second) ? [...ends, { type: 'note', kind: 'cut_after_first_call' }] : ends
    },
    leftOut: () => calls.flatMap(({ barred, name, said }) => (barred ? `${name} ${said}`.trimEnd() : [])).join('\n\n'),
  }
  return native
}
