import type { LanguageModelV4Content, LanguageModelV4FinishReason, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Event, FinishReason, Note } from '../../protocol/event.ts'

type Part = LanguageModelV4StreamPart

/** How the provider says an answer ended, as a reader is told. */
export function toEnding({ unified }: LanguageModelV4FinishReason): FinishReason | 'died' {
  switch (unified) {
    case 'length':
      return 'length'
    case 'content-filter':
      return 'content_filter'
    case 'error':
    case 'interrupted':
      return 'died'
    default:
      return 'stop'
  }
}

/** The same with the calls that were found: an answer with calls ends as `tool-calls`, unless it was cut off. */
export function toFinish(given: LanguageModelV4FinishReason, calls: number): LanguageModelV4FinishReason {
  const isWhole = given.unified === 'stop' || given.unified === 'other'
  return calls > 0 && isWhole ? { unified: 'tool-calls', raw: given.raw } : given
}

/** Prints events as parts of a stream: one block of text or thoughts at a time, each closed before anything else begins. */
export function createPartPrinter(onNote: (note: Note) => void) {
  let open: { readonly kind: 'text' | 'reasoning'; readonly id: string } | undefined
  let blocks = 0
  let calls = 0
  const pending = new Map<number, { readonly id: string; readonly name: string; json: string }>()

  function close(): readonly Part[] {
    if (open === undefined) return []
    const { kind, id } = open
    open = undefined
    return [{ type: `${kind}-end`, id }]
  }

  function say(kind: 'text' | 'reasoning', delta: string): readonly Part[] {
    if (open?.kind === kind) return [{ type: `${kind}-delta`, id: open.id, delta }]
    const closing = close()
    const id = `${kind}-${blocks++}`
    open = { kind, id }
    return [...closing, { type: `${kind}-start`, id }, { type: `${kind}-delta`, id, delta }]
  }

  function print(event: Event): readonly Part[] {
    switch (event.type) {
      case 'text-delta':
        return say('text', event.text)
      case 'reasoning-delta':
        return say('reasoning', event.text)
      case 'call-start': {
        const { id, name, index } = event
        pending.set(index, { id, name, json: '' })
        return [...close(), { type: 'tool-input-start', id, toolName: name }]
      }
      case 'call-delta': {
        const call = pending.get(event.index)
        if (call === undefined) return []
        call.json += event.json
        return [{ type: 'tool-input-delta', id: call.id, delta: event.json }]
      }
      case 'call-end': {
        const call = pending.get(event.index)
        pending.delete(event.index)
        if (call === undefined) return []
        calls += 1
        const { id, name, json } = call
        return [
          { type: 'tool-input-end', id },
          { type: 'tool-call', toolCallId: id, toolName: name, input: json },
        ]
      }
      case 'call-error':
        // Left open: a call that was cut off must not run.
        pending.delete(event.index)
        return []
      case 'note':
        onNote(event)
        return []
      default:
        return []
    }
  }

  return {
    print: (events: readonly Event[]): readonly Part[] => events.flatMap(print),
    close,
    get calls() {
      return calls
    },
  }
}

/** The parts of a stream as the content of a whole answer; of a call that was never completed, its words. */
export function createContentPrinter(onNote: (note: Note) => void) {
  const content: LanguageModelV4Content[] = []
  const pending = new Map<number, { readonly id: string; readonly name: string; json: string }>()
  let calls = 0

  function say(type: 'text' | 'reasoning', text: string): void {
    const last = content.at(-1)
    if (last?.type === type && last.providerMetadata === undefined) last.text += text
    else content.push({ type, text })
  }

  function print(event: Event): void {
    if (event.type === 'text-delta') say('text', event.text)
    else if (event.type === 'reasoning-delta') say('reasoning', event.text)
    else if (event.type === 'call-start') pending.set(event.index, { id: event.id, name: event.name, json: '' })
    else if (event.type === 'call-error') say('text', event.raw)
    else if (event.type === 'note') onNote(event)
    else if (event.type === 'call-delta' || event.type === 'call-end') {
      const call = pending.get(event.index)
      if (call === undefined) return
      if (event.type === 'call-delta') call.json += event.json
      else {
        calls += 1
        content.push({ type: 'tool-call', toolCallId: call.id, toolName: call.name, input: call.json })
      }
    }
  }

  return {
    print: (events: readonly Event[]) => events.forEach(print),
    pass: (part: LanguageModelV4Content) => void content.push(part),
    content,
    get calls() {
      return calls
    },
  }
}
