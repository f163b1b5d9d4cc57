import type { GatewayError } from '../errors.ts'
import { type Change, type Preparation, severityOf } from '../protocol/change.ts'
import type { Event, Note } from '../protocol/event.ts'
import type { NoteKind } from '../protocol/note.ts'

/** What was changed between one client and its model, in order: for the log and the notice of an answer. */
export interface Trail {
  prepare(preparations: readonly Preparation[]): void
  observe(events: readonly Event[]): void
  /** All of it, up to a limit, and how it failed if it did. */
  changes(error: GatewayError | undefined): readonly Change[]
  /** A note as the notice and the log tell it: with its details where a client is told of them. */
  readonly print: (kind: NoteKind) => string
  /** What the client is told in `x-dragoman-notice`, as far as it is known; undefined when that is nothing. */
  notice(): string | undefined
}

const maxChanges = 200
const maxDetails = 8
const maxDetailLength = 200

/** The notes a client is told about, and what their details are called there. */
export const noticed: Readonly<Partial<Record<NoteKind, string>>> = {
  field_dropped: 'fields',
  loop: 'call',
  prompt_truncated: '',
  schema_violation: 'path',
  text_swallowed: '',
  tool_choice_unmet: '',
  tool_dropped: 'tools',
}

/** Their details are lists already, and go on as one. */
const listing: ReadonlySet<NoteKind> = new Set<NoteKind>(['field_dropped'])

/** Their details are words of the model. */
const quoting: ReadonlySet<NoteKind> = new Set<NoteKind>(['call_without_name', 'repair'])

export function createTrail(): Trail {
  const changes: Change[] = []
  const notices = new Map<NoteKind, Set<string>>()
  const names = new Map<number, string>()

  function add(change: Change): void {
    if (changes.length < maxChanges) changes.push(change)
  }

  function addNote({ kind, detail }: Note): void {
    const told = detail === undefined || quoting.has(kind) ? undefined : detail.slice(0, maxDetailLength)
    add({ severity: severityOf(kind), kind, ...(told !== undefined && { detail: told }) })
    if (noticed[kind] === undefined) return
    const details = notices.get(kind) ?? new Set()
    notices.set(kind, details)
    if (told !== undefined && details.size < maxDetails) details.add(told)
  }

  function print(kind: NoteKind): string {
    return printNotice(kind, noticed[kind] ?? '', [...(notices.get(kind) ?? [])])
  }

  return {
    print,
    prepare(preparations) {
      for (const preparation of preparations) add({ severity: 'info', ...preparation })
    },
    observe(events) {
      for (const event of events) {
        if (event.type === 'note') addNote(event)
        else if (event.type === 'call-start') names.set(event.index, event.name)
        else if (event.type === 'call-end') {
          add({ severity: 'info', kind: 'call_read', detail: names.get(event.index) ?? '' })
        }
      }
    },
    changes: (error) =>
      error === undefined ? changes : [...changes, { severity: 'error', kind: 'failed', detail: error.code }],
    notice() {
      if (notices.size === 0) return undefined
      return [...notices.keys()].map(print).join(', ')
    },
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
