import type { Why } from '../protocol/span.ts'

/** Why a part of an answer became what it is, as a sentence for people. */
export const whySentences: Readonly<Record<Why, string>> = {
  ambiguous: 'This call can be read in more than one way, and a wrong call is worse than none.',
  'cut-off': 'The answer ended before this call was complete.',
  decoy: 'The model called the name its dialect has for “no call”.',
  echo: 'It only repeats a call that is already in the conversation.',
  edge: 'It only marks where a thought, a message or a code fence begins or ends.',
  example: 'More text follows, so this is an example of a call.',
  last: 'It had to wait for the end of the answer: it counts because nothing but calls follows.',
  mark: 'This mark belongs to nothing, so it was left out.',
  'no-arguments': 'A call without its marks counts only if it has arguments.',
  'no-call': 'Nothing that goes with this mark stands here, so it is text.',
  'no-tool': 'No tool of this name was offered.',
  'one-call': 'Only one call counts here; what follows it was left out.',
  quoted: 'It stands in code, so it is a quotation.',
  thought: 'The model was still thinking, so this call was not made.',
  unfit: 'A call without its marks counts only if it is complete and fits its tool.',
  unreadable: 'It begins like a call, but cannot be read as one.',
}
