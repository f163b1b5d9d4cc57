import type { Event } from '../protocol/event.ts'
import type { NoteKind } from '../protocol/note.ts'
import { isSpace } from './source.ts'

const nothing: readonly Event[] = Object.freeze([])
/** Stands for an empty list; it is replaced, never filled. */
const none: Event[] = []
/** `.`, `:`, `;`, `!` and `?`. */
const pauseMarks = [46, 58, 59, 33, 63]

/**
 * The events of one answer as they become certain. White space is kept back until it is known whether words or a call
 * follow it; a call's arguments are gathered and leave once per push.
 */
export class Transcript {
  /** Calls begun so far, those that failed included: the index of the next. */
  calls = 0
  /** Calls that were completed. */
  completed = 0
  /** A call is open: begun, neither ended nor failed. */
  open = false
  /** Nothing but white space has been said since the last call. */
  afterCall = false
  /** The last thing said ended a line, or nothing was said yet. */
  lineStart = true
  #events: Event[] = []
  #hasSpoken = false
  #space = ''
  /** The last character said that is no white space, and the one before it. */
  #last = 0
  #beforeLast = 0
  #thoughtSpace = ''
  /** The thought under way has words. */
  #isThinking = false
  #json = ''
  #held: { readonly before: Event[]; readonly undo: () => void } | undefined

  text(run: string): void {
    if (run === '') return
    let end = run.length
    while (end > 0 && isSpace(run.charCodeAt(end - 1))) end--
    if (end === 0) {
      this.#space += run
      if (run.includes('\n')) this.lineStart = true
      return
    }
    const words = end === run.length ? run : run.slice(0, end)
    this.#say('text-delta', this.#space === '' ? words : this.#space + words)
    this.#hasSpoken = true
    this.#space = end === run.length ? '' : run.slice(end)
    this.afterCall = false
    this.lineStart = this.#space !== '' && this.#space.includes('\n')
    this.#beforeLast = end > 1 ? words.charCodeAt(end - 2) : this.#last
    this.#last = words.charCodeAt(end - 1)
  }

  /** The last words ended a sentence, or led up to something, and a blank follows them. A key's colon is none such. */
  get pauses(): boolean {
    return this.#space !== '' && pauseMarks.includes(this.#last) && this.#beforeLast !== 34 && this.#beforeLast !== 39
  }

  thought(text: string): void {
    const run = this.#isThinking ? text : text.trimStart()
    this.#isThinking ||= run !== ''
    let end = run.length
    while (end > 0 && isSpace(run.charCodeAt(end - 1))) end--
    if (end > 0) this.#say('reasoning-delta', this.#thoughtSpace + run.slice(0, end))
    this.#thoughtSpace = end > 0 ? run.slice(end) : this.#thoughtSpace + run
  }

  /** White space around a thought means nothing. */
  endThought(): void {
    this.#thoughtSpace = ''
    this.#isThinking = false
  }

  /** Lets go of white space that only led up to something that is not words. */
  dropLeadingSpace(): void {
    if (!this.#hasSpoken) this.#space = ''
  }

  note(kind: NoteKind, detail?: string): void {
    this.#add({
      type: 'note',
      kind,
      ...(detail === undefined ? {} : { detail }),
      ...(this.open ? { index: this.calls - 1 } : {}),
    })
  }

  startCall(id: string, name: string): void {
    this.#add({ type: 'call-start', index: this.calls++, id, name })
    this.open = true
  }

  readonly write = (json: string): void => {
    this.#json += json
  }

  endCall(): void {
    this.#flush()
    this.#add({ type: 'call-end', index: this.calls - 1 })
    this.open = false
    this.completed++
    this.afterCall = true
    this.lineStart = true
  }

  /** The white space before the call is part of its text again. */
  failCall(raw: string, reason: string): void {
    this.#flush()
    this.#add({ type: 'call-error', index: this.calls - 1, raw: this.#space + raw, reason })
    this.open = false
    this.afterCall = false
    this.#space = ''
  }

  /** From here on nothing leaves until `release` or `drop`. */
  hold(): void {
    const { calls, completed, afterCall, lineStart } = this
    const space = this.#space
    this.#held = {
      before: this.#events,
      undo: () => {
        Object.assign(this, { calls, completed, afterCall, lineStart, open: false })
        this.#space = space
        this.#json = ''
      },
    }
    this.#events = []
  }

  get holding(): boolean {
    return this.#held !== undefined
  }

  /** The completed calls among what is held. */
  heldCalls(): readonly { readonly name: string; readonly json: string }[] {
    const calls = new Map<number, { readonly name: string; json: string; ended: boolean }>()
    for (const event of this.#held === undefined ? [] : this.#events) {
      if (event.type === 'call-start') calls.set(event.index, { name: event.name, json: '', ended: false })
      const call = 'index' in event && event.index !== undefined ? calls.get(event.index) : undefined
      if (call === undefined) continue
      if (event.type === 'call-delta') call.json += event.json
      if (event.type === 'call-end') call.ended = true
    }
    return [...calls.values()].filter(({ ended }) => ended)
  }

  /** Lets what was held leave; with `single`, only up to the end of its first call. True when that left something out. */
  release(single = false): boolean {
    if (this.#held === undefined) return false
    this.#flush()
    const end = single ? this.#events.findIndex(({ type }) => type === 'call-end') + 1 : 0
    const kept = end === 0 ? this.#events : this.#events.slice(0, end)
    const isCut = kept.length < this.#events.length
    this.#events = [...this.#held.before, ...kept]
    this.#held = undefined
    return isCut
  }

  /** Forgets what was held. */
  drop(): void {
    if (this.#held === undefined) return
    this.#events = this.#held.before
    this.#held.undo()
    this.#held = undefined
  }

  /** The last white space of an answer that ended in words belongs to them. */
  endText(): void {
    if (!this.afterCall && this.#space !== '') this.#say('text-delta', this.#space)
    this.#space = ''
  }

  /** What may leave now. */
  takeEvents(): readonly Event[] {
    this.#flush()
    if (this.#held !== undefined) {
      const out = this.#held.before
      this.#held = { before: [], undo: this.#held.undo }
      return out
    }
    if (this.#events.length === 0) return nothing
    const out = this.#events
    this.#events = none
    return out
  }

  #add(event: Event): void {
    // A list made with its one event is smaller than one grown to hold it; most pushes have just one. See bench/reader.ts.
    if (this.#events.length === 0) this.#events = [event]
    else this.#events.push(event)
  }

  #flush(): void {
    if (this.#json === '') return
    this.#add({ type: 'call-delta', index: this.calls - 1, json: this.#json })
    this.#json = ''
  }

  #say(type: 'text-delta' | 'reasoning-delta', text: string): void {
    const last = this.#events.length === 0 ? undefined : this.#events[this.#events.length - 1]
    if (last?.type === type) this.#events[this.#events.length - 1] = { type, text: last.text + text }
    else this.#add({ type, text })
  }
}
