import type { Event } from '../../../protocol/event.ts'
import type { Stage } from '../stage.ts'

/** U+2060 WORD JOINER: invisible, breaks no line, and splits a mark for a tokenizer as well as for a reader. */
export const joiner = '\u2060'

/** Where there are no joiners: everything is as it should be. */
export const unchanged: Stage = { push: (events) => events }

/** One text that arrives in pieces. Of a run of joiners every second is meant, wherever the run is cut. */
interface Channel {
  pass(piece: string): string
  /** What was kept back because it may have been half of an escape. */
  end(): string
}

/** Takes a guard's joiners out of the events of one answer. */
export function createRestore(): Stage {
  const text = createTextChannel()
  const reasoning = createTextChannel()
  const calls = new Map<number, Channel>()

  function passOne(event: Event): readonly Event[] {
    switch (event.type) {
      case 'text-delta':
        return say(event, text.pass(event.text))
      case 'reasoning-delta':
        return say(event, reasoning.pass(event.text))
      case 'call-delta': {
        const channel = calls.get(event.index) ?? createJsonChannel()
        calls.set(event.index, channel)
        return write(event.index, channel.pass(event.json))
      }
      case 'call-end':
        return [...endCall(event.index), event]
      case 'call-error':
        return [...endCall(event.index), { ...event, raw: createTextChannel().pass(event.raw) }]
      default:
        return [event]
    }
  }

  function endCall(index: number): readonly Event[] {
    const rest = calls.get(index)?.end() ?? ''
    calls.delete(index)
    return write(index, rest)
  }

  return { push: (events) => events.flatMap(passOne) }
}

function say(event: Extract<Event, { type: 'text-delta' | 'reasoning-delta' }>, text: string): readonly Event[] {
  return text === '' ? [] : [{ ...event, text }]
}

function write(index: number, json: string): readonly Event[] {
  return json === '' ? [] : [{ type: 'call-delta', index, json }]
}

function createTextChannel(): Channel {
  return { pass: createHalver(/\u2060+/g, /\u2060/g), end: () => '' }
}

/** A joiner as JSON may write it. */
const written = '\\u2060'

/** JSON text, in which a joiner may also stand as an escape. */
function createJsonChannel(): Channel {
  const pass = createHalver(/(?:\\u2060|\u2060)+|\\./gs, /\\u2060|\u2060/g)
  let held = ''
  return {
    pass(piece) {
      const all = held + piece
      const end = endOfWhole(all)
      held = all.slice(end)
      return pass(all.slice(0, end))
    },
    end() {
      const rest = held
      held = ''
      return rest
    },
  }
}

/** Where half an escape begins that may become a joiner's; the length when there is none. The text begins between escapes. */
function endOfWhole(json: string): number {
  const last = json.lastIndexOf('\\')
  if (last < 0 || json.length - last >= written.length || !written.startsWith(json.slice(last))) return json.length
  let first = last
  while (json.charCodeAt(first - 1) === 92) first--
  return (last - first) % 2 === 0 ? last : json.length
}

/** `runs` finds the runs of joiners, and what else must not be cut; `joiners` the joiners in a run. */
function createHalver(runs: RegExp, joiners: RegExp): (piece: string) => string {
  /** The last piece ended with the first of a pair. */
  let isOpen = false
  return (piece) => {
    if (piece === '') return piece
    let open = isOpen
    isOpen = false
    return piece.replace(runs, (run: string, at: number) => {
      const units = run.match(joiners)
      if (units === null) return run
      const carried = open && at === 0 ? 1 : 0
      open = false
      isOpen = at + run.length === piece.length && (units.length + carried) % 2 === 1
      return units.filter((_, place) => (place + carried) % 2 === 1).join('')
    })
  }
}
