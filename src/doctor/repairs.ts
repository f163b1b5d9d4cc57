import type { Answer } from '../protocol/fold.ts'
import type { NoteKind } from '../protocol/note.ts'
import type { Outcome } from './ask.ts'

/** What is done for every answer, or says nothing about calls. */
const harmless: ReadonlySet<NoteKind> = new Set([
  'field_dropped',
  'field_renamed',
  'field_unknown',
  'mark_dropped',
  'queued',
  'response_format_unmet',
  'tool_choice_unmet',
  'usage_estimated',
  'usage_split',
  'prompt_truncated',
  'cut_after_first_call',
  'fence_removed',
  // The examination of the template tells of that.
  'template_fallback',
])

/** What had to be put right in these answers. */
export function repairsOf(outcomes: readonly Outcome<Answer>[]): readonly NoteKind[] {
  const kinds = outcomes.flatMap((outcome) => ('said' in outcome ? outcome.said.notes.map(({ kind }) => kind) : []))
  return [...new Set(kinds)].filter((kind) => !harmless.has(kind))
}

const sentences: Readonly<Partial<Record<NoteKind, string>>> = {
  leak_rescued: 'it left calls in the text',
  generation_rescued: "it couldn't read its own calls",
  finish_corrected: 'it gave a wrong finish reason',
  finish_assumed: 'it ended without a finish reason',
  id_added: 'calls came without an id',
  id_replaced: 'two calls had the same id',
  index_repaired: 'two calls had the same index',
  empty_arguments: 'calls came without arguments',
  malformed_arguments: 'arguments came as broken JSON',
}

export function sayRepairs(kinds: readonly string[]): string {
  const words = kinds.map((kind) => sentences[kind as NoteKind] ?? kind.replaceAll('_', ' '))
  return `Repaired: ${words.join('; ')}.`
}
