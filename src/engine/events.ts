import type { Event } from '../protocol/event.ts'
import type { NoteKind } from '../protocol/note.ts'
import type { Trace } from '../protocol/trace/trace.ts'
import { Pieces } from './text/pieces.ts'

/** Stands for an empty list; it is replaced, never filled. */
const none: Event[] = []

/**
 * The events of one answer, those that may leave and those that are held back. A call's arguments are gathered and leave
 * once per push.
 */
export class Events {
  /** Calls begun so far, those that failed included: the index of the next. */
  calls = 0
  /** Calls that were completed. */
  completed = 0
  /** A call is open: begun, neither ended nor failed. */
  open = false
  /** Is told what becomes of the text, if anybody asks. */
  trace: Trace | undefined
  #events: Event[] = []
  #json = ''
  /** All that was written of the open call. */
  readonly #written = new Pieces()
  /** What came before it, while a call is held back. */
  readonly #heldJson = new Pieces()
  /** A call that was begun and has no arguments yet: it is told with the first of them. */
  #untold: Event | undefined
  /** What may be taken back, the innermost last: the events before it, and how to forget what came since. */
  readonly #holds: { before: Event[]; readonly undo: () => void }[] = []

  note(kind: NoteKind, detail?: string): void {
    this.trace?.note(kind)
    this.#add({
      type: 'note',
      kind,
      ...(detail === undefined ? {} : { detail }),
      ...(this.open ? { index: this.calls - 1 } : {}),
    })
  }

  startCall(id: string, name: string): void {
    this.#untold = { type: 'call-start', index: this.calls++, id, name }
    this.#written.clear()
    this.open = true
  }

  readonly write = (json: string): void => {
    this.#json += json
    this.#written.push(json)
  }

  /** The arguments of the open call, as far as they are written. */
  get written(): string {
    return this.#written.toString()
  }

  endCall(): void {
    this.#flush()
    this.trace?.tell('call', undefined, { index: this.calls - 1 })
    this.#add({ type: 'call-end', index: this.calls - 1 })
    this.open = false
    this.completed++
  }

  /** Forgets the open call, if nobody was told of it. */
  protected forgetCall(): boolean {
    this.#flush()
    if (this.#untold === undefined) return false
    this.#untold = undefined
    this.open = false
    this.calls--
    return true
  }

  protected addFailure(raw: string, reason: string): void {
    this.#add({ type: 'call-error', index: this.calls - 1, raw, reason })
    this.open = false
  }

  /** From here on nothing leaves until `release` or `drop`, which also undoes what was done meanwhile. */
  protected holdBack(undo: () => void): void {
    this.trace?.hold()
    const { calls, completed } = this
    this.#flush()
    this.#holds.push({
      before: this.#events,
      undo: () => {
        Object.assign(this, { calls, completed, open: false })
        this.#json = ''
        this.#heldJson.clear()
        this.#untold = undefined
        undo()
      },
    })
    this.#events = []
  }

  get holding(): boolean {
    return this.#holds.length > 0
  }

  /** The calls that are held and were completed. */
  get heldCalls(): readonly { readonly name: string; readonly json: string }[] {
    const calls: { readonly name: string; json: string }[] = []
    for (const event of this.#events) {
      const last = calls.at(-1)
      if (event.type === 'call-start') calls.push({ name: event.name, json: '' })
      if (event.type === 'call-delta' && last !== undefined) last.json += event.json
      if (event.type === 'call-error') calls.pop()
    }
    return calls
  }

  /** Lets what was held leave; with `single`, only up to the end of its first call. True when that left something out. */
  release(single = false): boolean {
    const hold = this.#holds.pop()
    if (hold === undefined) return false
    this.#flush()
    const end = single ? this.#events.findIndex(({ type }) => type === 'call-end') + 1 : 0
    const kept = end === 0 ? this.#events : this.#events.slice(0, end)
    const isCut = kept.length < this.#events.length
    this.trace?.release(isCut)
    if (hold.before.length > 0) for (const event of kept) hold.before.push(event)
    this.#events = hold.before.length > 0 ? hold.before : kept
    return isCut
  }

  /** Forgets what was held. */
  drop(): void {
    const hold = this.#holds.pop()
    if (hold === undefined) return
    this.trace?.drop()
    this.#events = hold.before
    hold.undo()
  }

  /** What may leave now. */
  takeEvents(): readonly Event[] {
    const hold = this.#holds.length === 0 ? undefined : this.#holds[0]
    if (hold === undefined) {
      this.#flush()
      const events = this.#events
      this.#events = none
      return events
    }
    this.#heldJson.push(this.#json)
    this.#json = ''
    const { before } = hold
    hold.before = none
    return before
  }

  #add(event: Event): void {
    // A list made with its one event is smaller than one grown to hold it; most pushes have just one. See bench/reader.ts.
    if (this.#events.length === 0) this.#events = [event]
    else this.#events.push(event)
  }

  #flush(): void {
    const json = this.#heldJson.take() + this.#json
    if (json === '') return
    if (this.#untold !== undefined) {
      this.#add(this.#untold)
      this.#untold = undefined
    }
    this.#add({ type: 'call-delta', index: this.calls - 1, json })
    this.#json = ''
  }

  protected say(type: 'text-delta' | 'reasoning-delta', text: string): void {
    const last = this.#events.length === 0 ? undefined : this.#events[this.#events.length - 1]
    if (last?.type === type) this.#events[this.#events.length - 1] = { type, text: last.text + text }
    else this.#add({ type, text })
  }
}
