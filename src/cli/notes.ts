import type { NoteKind } from '../protocol/note.ts'

/** What a note of the reader means, as a sentence for people. A kind that is not here speaks for itself. */
export const noteSentences: Readonly<Partial<Record<NoteKind, string>>> = {
  arguments_beside_name:
    "The arguments were next to the name or under an unusual key. They are the tool's own, so they were used.",
  arguments_first: 'The arguments came before the name, so they were kept until the name arrived.',
  arguments_repaired: "The arguments weren't written the way this dialect asks for.",
  call_ambiguous: "A quote in it could end the value in two places, so it wasn't turned into a call.",
  call_unmarked: 'It has no marks around it, but it ends the answer, names a known tool, and its arguments fit.',
  call_unreadable: "It starts like a call but can't be read, so it stays text.",
  closer_missing: 'The closing mark was missing.',
  closer_quoted: 'What looked like the end of a value was part of it: nothing that may follow an end came next.',
  closer_wrong: 'The value was closed with a different tag.',
  coerced: "A value was converted to the type the tool's schema declares.",
  cut_after_first_call: "Only the first call counts here, so the rest wasn't read.",
  decoy_dropped: 'The model used the name its dialect has for “no call”.',
  echo: "This call is quoted from the request, so the model isn't making it.",
  example: "More text follows it, so it's an example of a call.",
  fence_removed: 'A code fence contained nothing but calls.',
  json_repaired: 'The JSON had mistakes that could be fixed.',
  key_corrected: 'An argument name was misspelled.',
  mark_dropped: 'A stray mark was left out of the text.',
  member_dropped: 'An argument was left out because the schema forbids it or it had no value.',
  name_corrected: "The tool's name was misspelled.",
  name_inferred: 'The call had no name, and only this tool takes these arguments.',
  positional_argument: 'An argument without a name got the name at its position in the schema.',
  set_to_list: 'JSON has no sets, so a set became a list.',
  thought_unclosed: 'The thought was never closed, so the call ended it.',
  unknown_tool: 'No tool with this name was offered.',
}
