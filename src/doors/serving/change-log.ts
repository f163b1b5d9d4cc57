import type { GatewayError } from '../../errors.ts'
import type { Event, Note } from '../../protocol/event.ts'
import type { NoteKind } from '../../protocol/note.ts'
import { type Change, type Preparation, severityOf } from '../../protocol/trace/change.ts'

const maxChanges = 200
const maxDetails = 8
const maxDetailLength = 200

/** The notes a client is told about, and what their details are called there. */
export const noticed: Readonly<Partial<Record<NoteKind, string>>> = {
  announced_call: '',
  empty_answer: '',
  field_dropped: 'fields',
  field_unknown: 'fields',
  history_healed: 'why',
  image_described: 'images',
  image_undescribed: 'why',
  item_dropped: 'items',
  loop: 'call',
  prompt_truncated: '',
  response_format_unmet: 'why',
  schema_reduced: 'tools',
  schema_violation: 'path',
  text_swallowed: '',
  tool_choice_unmet: '',
  tool_dropped: 'tools',
}

/** Their details are lists already, and go on as one. */
const listing: ReadonlySet<NoteKind> = new Set<NoteKind>(['field_dropped', 'field_unknown'])

/** Their details are words of the model. */
const quoting: ReadonlySet<NoteKind> = new Set<NoteKind>(['call_without_name', 'repair'])

/** What was changed between one client and its model, in order: for the log and the notice of an answer. */
export class ChangeLog {
  #preparations: (() => readonly Preparation[]) | undefined
  readonly #changes: Change[] = []
  readonly #notices = new Map<NoteKind, Set<string>>()
  readonly #names = new Map<number, string>()

  /** Read on demand. */
  prepare(preparations: (() => readonly Preparation[]) | undefined): void {
    this.#preparations = preparations
  }

  observe(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === 'note') this.#addNote(event)
      else if (event.type === 'call-start') this.#names.set(event.index, event.name)
      else if (event.type === 'call-end')
        this.#add({ severity: 'info', kind: 'call_read', detail: this.#names.get(event.index) ?? '' })
    }
  }

  /** All of it, up to a limit, and how it failed if it did. */
  changes(error: GatewayError | undefined): readonly Change[] {
    const prepared = (this.#preparations?.() ?? []).map((one): Change => ({ severity: 'info', ...one }))
    const changes = [...prepared, ...this.#changes].slice(0, maxChanges)
    return error === undefined ? changes : [...changes, { severity: 'error', kind: 'failed', detail: error.code }]
  }

  /** A note as the notice and the log tell it: with its details where a client is told of them. */
  print(kind: NoteKind): string {
    return printNotice(kind, noticed[kind] ?? '', [...(this.#notices.get(kind) ?? [])])
  }

  /** What the client is told in `x-dragoman-notice`, as far as it is known; undefined when that is nothing. */
  notice(): string | undefined {
    return Array.from(this.#notices.keys(), (kind) => this.print(kind)).join(', ') || undefined
  }

  #add(change: Change): void {
    if (this.#changes.length < maxChanges) this.#changes.push(change)
  }

  #addNote({ kind, detail }: Note): void {
    const told = detail === undefined || quoting.has(kind) ? undefined : detail.slice(0, maxDetailLength)
    this.#add({ severity: severityOf(kind), kind, ...(told !== undefined && { detail: told }) })
    if (noticed[kind] === undefined) return
    const details = this.#notices.get(kind) ?? new Set()
    this.#notices.set(kind, details)
    if (told !== undefined && details.size < maxDetails) details.add(told)
  }
}

/** `schema_violation;path="read_file: lines"`: a token and a quoted string, as structured headers write them. */
function printNotice(kind: NoteKind, name: string, details: readonly string[]): string {
  if (name === '' || details.length === 0) return kind
  const value = details
    .join(listing.has(kind) ? ', ' : '; ')
    .replace(/[^\x20-\x7e]/g, '?')
    .replace(/["\\]/g, '\\$&')
  return `${kind};${name}="${value}"`
}
