import type { NoteKind } from '../protocol/note.ts'

/** What a note of the reader means, as a sentence for people. A kind that is not here speaks for itself. */
export const noteSentences: Readonly<Partial<Record<NoteKind, string>>> = {
  arguments_beside_name:
    'The arguments stood beside the name, or under a key no dialect has, and the tool declares them.',
  arguments_first: 'The arguments stood before the name, so they were kept until the name came.',
  arguments_repaired: 'The arguments were not in the form the dialect asks for.',
  call_ambiguous: 'A quote in it could end the value in two places, so no call was made of it.',
  call_unmarked: 'It had no marks, but it ends the answer, its name is declared and its arguments fit the tool.',
  call_unreadable: 'It began like a call and could not be read, so it stays text.',
  closer_missing: 'The mark that ends it was left out.',
  closer_quoted: 'What looked like the end of a value was a part of it: nothing that may follow an end followed.',
  closer_wrong: 'A closing tag of another name stood where the value ends.',
  coerced: 'A value was brought to the type the schema of the tool declares.',
  cut_after_first_call: 'Only the first call counts here; what followed it was not read.',
  decoy_dropped: 'The model called the name its dialect has for “no call”.',
  echo: 'The request itself contains this call, so it is a quotation and no call of the model.',
  example: 'Words follow it, so it shows how a call looks and is none.',
  fence_removed: 'A code fence held nothing but calls.',
  json_repaired: 'The JSON was not quite JSON.',
  key_corrected: 'An argument differed from one of the tool only in its spelling.',
  mark_dropped: 'A mark that belongs to nothing was left out of the text.',
  member_dropped: 'An argument the schema forbids, or one without a value, was left out.',
  name_corrected: 'The name differed from that of a tool only in its spelling.',
  name_inferred: 'There was no name; only this tool takes these arguments.',
  positional_argument: 'An argument without a name took the name at its place in the schema.',
  prefill_repeated: 'The service repeated the beginning it was given, and that was left out.',
  prompt_truncated: 'The service cut the prompt off: its model has not read all of it.',
  set_to_list: 'JSON has no sets, so a set became a list.',
  text_swallowed: 'The service counted more than it passed on: its parser kept a part of the answer.',
  thought_unclosed: 'The thought was never ended; a call ended it.',
  unknown_tool: 'No tool of this name was offered.',
}
