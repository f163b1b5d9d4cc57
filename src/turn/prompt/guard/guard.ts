import { type Content, type Message, mapCalls, type Spoken, type SystemMessage } from '../../../protocol/message.ts'
import type { Writable } from '../../../protocol/writable.ts'
import type { Stage } from '../../answer/stage.ts'
import { createRestore, joiner, unchanged } from '../../answer/text/restore.ts'
import type { GuardedMarks } from './guarded-marks.ts'

/**
 * Keeps what users and tools say from looking like a mark, so that a file which talks about tool calls cannot teach the
 * model a call, nor a web page forge one. The neutral form has a word joiner after the first character of every mark, and
 * after every joiner that was there before: a lone one means nothing, two of them mean one. So it can be undone, whatever
 * the text contains, if all that is shown to the model is written in it.
 */
export interface Guard {
  /** What users and tools said. */
  neutralise(text: string): string
  /** All else the model is shown: marks stay marks. */
  keep(text: string): string
  /** The same for JSON, where a joiner may also be written as an escape. */
  keepJson(json: string): string
  /** Undoes the neutral form in the events of one answer, after calls were told from text. */
  createRestore(): Stage
  /** Something was written in another form than its own. */
  readonly isChanged: boolean
}

export function createGuard(marks: GuardedMarks): Guard {
  function noting(before: string, after: string): string {
    guard.isChanged ||= after !== before
    return after
  }

  const guard: Writable<Guard> = {
    isChanged: false,
    neutralise: (text) => noting(text, breakMarks(text, marks)),
    keep: (text) => noting(text, double(text)),
    keepJson: (json) => noting(json, doubleInJson(json)),
    // As long as nothing was written in another form than its own, there is nothing to undo.
    createRestore: () => (guard.isChanged ? createRestore() : unchanged),
  }
  return guard
}

const same = <T>(what: T): T => what

/** For turns that read nothing: every text stays as it is. */
export const openGuard: Guard = {
  neutralise: same,
  keep: same,
  keepJson: same,
  createRestore: () => unchanged,
  isChanged: false,
}

/** Marks may overlap: each is broken where it begins, so none is left whole. */
function breakMarks(text: string, { starts, standAt }: GuardedMarks): string {
  let broken = ''
  let from = 0
  starts.lastIndex = 0
  for (let found = starts.exec(text); found !== null; found = starts.exec(text)) {
    const { index } = found
    if (found[0] !== joiner && !standAt(text, index)) continue
    broken += text.slice(from, index + 1) + joiner
    from = index + 1
  }
  return from === 0 ? text : broken + text.slice(from)
}

function double(text: string): string {
  return text.includes(joiner) ? text.replaceAll(joiner, joiner + joiner) : text
}

const escaped = '\\u2060'

function doubleInJson(json: string): string {
  if (!json.includes(joiner) && !json.includes(escaped)) return json
  return json.replace(/\\u2060|\\.|\u2060/gs, (piece) =>
    piece === joiner || piece === escaped ? joiner + joiner : piece,
  )
}

/**
 * Messages that the server's chat template prints, guarded as those we print ourselves. `directives` are what is asked of the
 * next answer beside the client's own instructions.
 */
export function guardMessages(
  messages: readonly Message[],
  directives: readonly string[],
  guard: Guard,
): readonly Message[] {
  const guarded = messages.map((message): Message => {
    switch (message.role) {
      case 'system':
        return { ...message, content: mapText(message.content, guard.keep) }
      case 'user':
      case 'tool':
        return { ...message, content: mapText(message.content, guard.neutralise) }
      case 'assistant': {
        const { content } = message
        if (typeof content === 'string') return { ...message, content: guard.keep(content) }
        const kept = mapCalls(message, (call) => ({
          ...call,
          arguments: call.kind === 'custom' ? guard.keep(call.arguments) : guard.keepJson(call.arguments),
        }))
        return typeof kept.content === 'string'
          ? kept
          : { ...kept, content: kept.content.map((part) => keepPart(part, guard)) }
      }
    }
  })
  if (directives.length === 0) return guarded
  const last: SystemMessage = { role: 'system', content: directives.join(' ') }
  const place = guarded.findLastIndex(({ role }) => role === 'system')
  const instructions = guarded[place]
  if (instructions?.role !== 'system' || typeof instructions.content !== 'string') return [last, ...guarded]
  return guarded.with(place, { ...last, content: `${instructions.content}\n\n${directives.join(' ')}` })
}

function keepPart(part: Spoken, guard: Guard): Spoken {
  return part.type === 'text' || part.type === 'thought' ? { ...part, text: guard.keep(part.text) } : part
}

/** A content with each of its texts changed. */
export function mapText(content: Content, change: (text: string) => string): Content {
  if (typeof content === 'string') return change(content)
  return content.map((part) => (part.type === 'text' ? { ...part, text: change(part.text) } : part))
}
