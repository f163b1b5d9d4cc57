/**
 * What a difference can rest on: a line of the contract (the row expects what the line forbids), or a decision of ours (the
 * row expects something that would do as well). What rests on neither is our limit.
 */
export interface Ground {
  readonly list: 'contract' | 'decision' | 'limit'
  /** The line, word for word, with an ellipsis where some are left out; or the name of the record in `docs/decisions`. */
  readonly says: string
}

/** What one score of one row differs by, and what that rests on. */
export interface Finding {
  readonly ground: Ground
  readonly why: string
  readonly byHand?: true
}

export const limit: Ground = { list: 'limit', says: '' }

const line = (says: string): Ground => ({ list: 'contract', says })
const record = (says: string): Ground => ({ list: 'decision', says })

export const grounds = {
  content: line(
    "`content` is the model's text, before and after the calls, trimmed of the white space next to them, `null` when there is none",
  ),
  parallel: line('`parallel_tool_calls: false` | … `true`: all calls. Absent: all calls'),
  unknown: line(
    "unknown tool name from the model | … `auto`: call where the dialect's marks are unmistakable (`<tool_call>…`), text where the tool's own name is the mark",
  ),
  malformed: line('malformed call | read tolerantly and noted; if it cannot be read: the text as it was'),
  cutOff: line(
    'call cut off by `max_tokens` or a dead upstream | never completed. Not streaming: the raw text stays in `content`',
  ),
  silent: line(
    'a call whose arguments stand beside its name … or under a misspelt key | … with none of them declared, and parameters required, it is no call: text. Never a silent `{}`',
  ),
  quotes: line(
    'a string argument with unescaped quotes, … | quotes: the reading in which the rest fits the declared keys, if there is exactly one; two readings possible: no call, text, noted',
  ),
  closer: line('a value with a wrong closer, … | … Wrong closer at the end of a value: stripped, noted'),
  types: line(
    "types of parameters in tagged dialects | by the tool's schema: … a declared string stays a string, whatever it looks like; undeclared parameters: a JSON literal if it is one, else a string",
  ),
  schema: line(
    'a complete call whose arguments break its schema (required missing, out of the enum, wrong type that cannot be coerced) | passed on as the model wrote it',
  ),
  names: line(
    'argument names such as `__proto__`, `constructor`, `toString` | plain data: carried as text, never assigned to anything',
  ),
  faint: line(
    'call inside a code fence or backticks | … The same holds for calls in faint marks that stand after prose: believed only when the answer ends with them',
  ),
  bare: line(
    'a JSON call without its marks (bare, in an array, in a fence), whatever dialect was taught | a call, noted, when it stands at the end of the answer, its name is declared, it has an arguments member, and the arguments fit the schema (required ones there, no undeclared ones); else text',
  ),
  promptThoughts: record('0006-thoughts-the-prompt-opened'),
  enough: record('0008-what-is-enough-for-a-call'),
  values: record('0009-values-as-the-model-wrote-them'),
  thoughts: record('0010-thoughts-are-not-content'),
} as const satisfies Record<string, Ground>
