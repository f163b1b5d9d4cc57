import type { Why } from './span.ts'

/** Why a part of an answer became what it is, as a sentence for people. */
export const whySentences: Readonly<Record<Why, string>> = {
  ambiguous: 'This call can be read in more than one way, and a wrong call is worse than none.',
  'cut-off': 'The answer ended before this call was complete.',
  decoy: 'The model used the name its dialect has for “no call”.',
  echo: 'It only repeats a call that is already in the conversation.',
  edge: 'It only marks where a thought, a message or a code fence starts or ends.',
  example: 'More text follows, so this is an example of a call.',
  last: 'It had to wait for the end of the answer, and counts because only calls follow it.',
  mark: "This mark doesn't belong to anything, so it was left out.",
  'no-arguments': 'A call without its marks only counts if it has arguments.',
  'no-call': "Nothing that goes with this mark follows, so it's text.",
  'no-tool': 'No tool with this name was offered.',
  'one-call': 'Only one call counts here, so the rest was left out.',
  quoted: "It's inside code, so it's a quotation.",
  thought: "The model was still thinking, so this call wasn't made.",
  'too-many': 'After 1,024 calls the rest of an answer is text.',
  unfit: "A call without its marks only counts if it's complete and fits its tool.",
  unreadable: "It starts like a call, but can't be read as one.",
}
