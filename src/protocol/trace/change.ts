import type { NoteKind } from '../note.ts'

/** What was done to a request before its service got it, as a matter of course. What was out of the ordinary is a note. */
export type PreparationKind =
  | 'answer_begun'
  | 'answer_constrained'
  | 'choice_told'
  | 'history_told'
  | 'system_folded'
  | 'text_guarded'
  | 'tools_offered'
  | 'tools_taught'

export interface Preparation {
  readonly kind: PreparationKind
  readonly detail?: string
}

/** `info`: put right, and nothing is missing. `warning`: something was left out, or is not as it was asked for. */
export type Severity = 'info' | 'warning' | 'error'

/** One thing that was changed between a client and its model, in the order it happened. */
export interface Change {
  readonly severity: Severity
  readonly kind: NoteKind | PreparationKind | 'call_read' | 'failed' | 'header_ignored'
  readonly detail?: string
}

const warnings: ReadonlySet<NoteKind> = new Set<NoteKind>([
  'announced_call',
  'call_ambiguous',
  'call_not_allowed',
  'call_repeated',
  'call_unfinished',
  'call_unreadable',
  'call_without_name',
  'cut_after_first_call',
  'empty_answer',
  'field_dropped',
  'field_unknown',
  'file_dropped',
  'finish_assumed',
  'history_healed',
  'image_undescribed',
  'invented_result',
  'item_dropped',
  'leak_superseded',
  'limit_lowered',
  'loop',
  'loop_stopped',
  'malformed_arguments',
  'persist_failed',
  'prompt_truncated',
  'text_swallowed',
  'member_dropped',
  'repair_failed',
  'repair_refused',
  'response_format_unmet',
  'schema_reduced',
  'schema_violation',
  'stop_cut',
  'template_fallback',
  'template_untold',
  'text_replaced',
  'thought_unclosed',
  'too_many_calls',
  'tool_choice_unmet',
  'tool_dropped',
  'tools_large',
  'tools_tightened',
  'unknown_finish_reason',
  'unknown_tool',
])

export function severityOf(kind: NoteKind): Severity {
  return warnings.has(kind) ? 'warning' : 'info'
}
