import type { Event, Note } from '../../../protocol/event.ts'
import type { FoldedCall } from '../../../protocol/fold.ts'
import { parseObject } from '../../../protocol/json.ts'
import type { Request } from '../../../protocol/request.ts'
import type { Tool } from '../../../protocol/tool.ts'
import type { Writable } from '../../../protocol/writable.ts'
import { checkArguments } from '../../../schema/check.ts'
import { compileParameters } from '../../../schema/compile.ts'
import type { InputChecks } from '../../inputs/checks.ts'
import type { Stage } from '../stage.ts'
import type { Loop } from './loop.ts'

/** Looks at every call once it is complete, and says what is to be said of it. */
export interface CallWatch extends Stage {
  /** A call was one too many: it was left out, and nothing further can matter. */
  readonly isOver: boolean
}

interface Watched {
  readonly name: string
  json: string
  /** What waits for the verdict, where there is one to wait for. */
  readonly held: Event[] | undefined
}

export function createCallWatch({ tools }: Request, loop: Loop, stops: boolean, checks: InputChecks): CallWatch {
  const open = new Map<number, Watched>()
  let hasCalled = false

  function begin(event: Extract<Event, { type: 'call-start' }>): readonly Event[] {
    const held = stops && loop.suspects(event.name) ? [event] : undefined
    open.set(event.index, { name: event.name, json: '', held })
    return held === undefined ? [event] : []
  }

  function end(event: Event, index: number, { name, json, held = [] }: Watched): readonly Event[] {
    open.delete(index)
    hasCalled = true
    const call = { name, arguments: json }
    const looped = loop.add(call)
    if (looped !== undefined && stops) {
      watch.isOver = true
      return [looped, { type: 'note', kind: 'loop_stopped', detail: name }]
    }
    const violation = violationOf(call, tools, checks)
    return [
      ...held,
      event,
      ...(violation === undefined ? [] : [{ ...violation, index }]),
      ...(looped === undefined ? [] : [{ ...looped, index }]),
    ]
  }

  function passOne(event: Event): readonly Event[] {
    if (watch.isOver) return event.type === 'note' ? [event] : []
    if (event.type === 'call-start') return begin(event)
    const call = 'index' in event && event.index !== undefined ? open.get(event.index) : undefined
    if (call === undefined) return [event]
    if (event.type === 'call-delta') call.json += event.json
    if (event.type === 'call-end') return end(event, event.index, call)
    if (call.held === undefined || event.type === 'note') return [event]
    call.held.push(event)
    if (event.type !== 'call-error') return []
    open.delete(event.index)
    return call.held
  }

  /** From the first call on, where only the end tells whether all of them are to be left out. */
  const waiting: Event[] = []

  function wait(event: Event): readonly Event[] {
    if (waiting.length === 0 && event.type !== 'call-start') return [event]
    waiting.push(event)
    return []
  }

  const watch: Writable<CallWatch> = {
    isOver: false,
    push(events) {
      const passed = events.flatMap(passOne)
      return stops && loop.suspectsAll ? passed.flatMap(wait) : passed
    },
    end() {
      const looped = watch.isOver || !hasCalled ? undefined : loop.end()
      if (looped === undefined) return waiting.splice(0)
      if (!stops) return [looped]
      watch.isOver = true
      const words = waiting.splice(0).filter(({ type }) => type === 'text-delta' || type === 'reasoning-delta')
      return [...words, looped, { type: 'note', kind: 'loop_stopped' }]
    },
  }
  return watch
}

const shownPaths = 5

/** What a complete call has that its schema does not allow. It is shown by where it stands, never by what it says. */
export function violationOf(
  call: Omit<FoldedCall, 'id'>,
  tools: readonly Tool[],
  checks: InputChecks,
): Note | undefined {
  const tool = tools.find(({ name }) => name === call.name)
  if (tool === undefined) return undefined
  if (tool.kind === 'custom') {
    const faults = checks.of(tool.name)?.faults(call.arguments) ?? []
    return faults.length === 0 ? undefined : { type: 'note', kind: 'schema_violation', detail: `${tool.name}: input` }
  }
  const value = parseObject(call.arguments)
  const paths = value ? checkArguments(compileParameters(tool.parameters), value).map(({ path }) => path) : ['']
  if (paths.length === 0) return undefined
  const shown = [...new Set(paths)].slice(0, shownPaths).map((path) => (path === '' ? 'arguments' : path))
  return { type: 'note', kind: 'schema_violation', detail: `${call.name}: ${shown.join(', ')}` }
}
