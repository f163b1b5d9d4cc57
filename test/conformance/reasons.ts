import { findDialect } from '../../src/dialects/registry.ts'
import type { Verdict } from './judge.ts'
import { parseExactly, toolsOf } from './vector.ts'

/**
 * Whose doing a difference is. `policy`: the expectation contradicts what the gateway promises. `vector`: the row records
 * an engine's bug, or does not hold all of its text. `limit`: the reader could do better, and does not.
 */
type Stance = 'policy' | 'vector' | 'limit'

export interface Reason {
  readonly title: string
  readonly stance: Stance
  readonly why: string
  explains(row: Row): boolean
}

interface Called {
  readonly name: string
  readonly arguments: unknown
}

interface Row {
  readonly verdict: Verdict
  readonly text: string
  readonly source: string
  readonly expected: readonly Called[]
  readonly got: readonly Called[]
  /** What the content should be and is, white space around it aside. */
  readonly wanted: string
  readonly content: string
  readonly names: ReadonlySet<string>
  readonly isFaint: boolean
}

/** Why a row differs from its expectation: the first of these that explains it. */
export const reasons: readonly Reason[] = [
  {
    title: 'The vector holds only the tail of its stream',
    stance: 'vector',
    why: 'A call is expected whose name stands nowhere in the recorded text.',
    explains: ({ text, expected, source, verdict }) =>
      source === 'vllm' &&
      verdict.vector.tier !== 'A' &&
      (expected.some(({ name }) => !text.includes(name)) || (text.length < 30 && /^[^<[{]*>/.test(text))),
  },
  {
    title: 'Names of one benchmark',
    stance: 'vector',
    why: 'vLLM’s minicpm5 parser renames the tools of a benchmark, and the arguments with them.',
    explains: ({ verdict }) => verdict.vector.format === 'minicpm5' && /alias/.test(verdict.vector.test),
  },
  {
    title: 'Tokens that were never decoded',
    stance: 'vector',
    why: '`Ġ` and `Ċ` for blank and newline are a tokenizer’s, and its service decodes them.',
    explains: ({ text }) => /[ĠĊ]/.test(text),
  },
  {
    title: 'Names like `__proto__` are plain names',
    stance: 'policy',
    why: 'ai-sdk refuses calls with keys such as `constructor`. The reader builds text, not objects, so such a key can harm nothing; whether a tool takes it is for its schema to say.',
    explains: ({ source, text }) =>
      source === 'ai-sdk' && /proto|constructor|\\u00(?:5f|63|70)/i.test(text.replaceAll('\\\\', '\\')),
  },
  {
    title: 'A parser that leaks',
    stance: 'vector',
    why: 'The engine’s stream let pieces of its own marks, or marks it left out elsewhere, through as content, or took markup for a name.',
    explains: ({ verdict, expected, wanted, content, got }) =>
      expected.some(({ name }) => name.includes('\n')) ||
      (verdict.calls && got.length > 0 && wanted.length > content.length && mark.test(wanted) && !mark.test(content)),
  },
  {
    title: 'Thoughts are reasoning, not content',
    stance: 'policy',
    why: 'The engine’s tool parser does not know thoughts and leaves them, or their marks, in the content, or takes an answer for a thought that the prompt opened.',
    explains: ({ verdict, text, wanted, content }) =>
      verdict.calls && thought.test(text) && wanted !== content && (wanted.length > content.length || wanted === ''),
  },
  {
    title: 'A message without its frame is an answer',
    stance: 'policy',
    why: 'Dynamo drops what stands outside Harmony’s messages, and vLLM what follows no closed thought. Nothing a model said is dropped.',
    explains: ({ verdict, expected, got, content, wanted }) =>
      expected.length === 0 && got.length === 0 && verdict.calls && wanted === '' && !mark.test(content),
  },
  {
    title: 'An unknown tool is passed on',
    stance: 'policy',
    why: '`unknown_tools: auto` passes calls with unmistakable marks to the client, which answers them better than silence does.',
    explains: ({ expected, got, names }) =>
      names.size > 0 && got.length > expected.length && got.some(({ name }) => !names.has(name)),
  },
  {
    title: 'Numbers keep their digits',
    stance: 'policy',
    why: 'The engine prints `5.0`, `1e3` or a large integer anew; here the digits a model wrote stay.',
    explains: ({ expected, got }) =>
      isSameBy(expected, got, (value) => (isNumber(value) ? Number(printed(value)) : value)),
  },
  {
    title: 'Declared types count in JSON too',
    stance: 'policy',
    why: 'A string where the schema declares a number becomes the number, an object where it declares a string its text. Most engines leave JSON dialects alone.',
    explains: ({ expected, got, names }) => names.size > 0 && isSameBy(expected, got, flat),
  },
  {
    title: 'Undeclared parameters are JSON where they are JSON',
    stance: 'policy',
    why: 'Without a schema, a value that is a JSON literal is taken for one; the engine keeps a string.',
    explains: ({ expected, got }) => isSameBy(expected, got, flat),
  },
  {
    title: 'White space in a value is the model’s',
    stance: 'policy',
    why: 'One newline on each side is layout; the engine trims all of it.',
    explains: ({ expected, got }) =>
      isSameBy(expected, got, (value) => {
        const plain = flat(value)
        return typeof plain === 'string' ? plain.trim() : plain
      }),
  },
  {
    title: 'Entities are decoded only where the dialect escapes',
    stance: 'policy',
    why: 'ai-sdk decodes them in every dialect, which ruins HTML a model writes into a file.',
    explains: ({ expected, got }) =>
      isSameBy(expected, got, (value) => (typeof value === 'string' ? decode(value).trim() : flat(value))),
  },
  {
    title: 'A backslash stays where the model wrote one',
    stance: 'policy',
    why: '`\\$` is no escape of JSON. ai-sdk leaves the backslash out, which ruins the patterns and paths it was meant for.',
    explains: ({ expected, got }) =>
      isSameBy(expected, got, (value) => (typeof value === 'string' ? value.replaceAll('\\', '') : flat(value))),
  },
  {
    title: 'Undeclared members are kept',
    stance: 'policy',
    why: 'Only `additionalProperties: false` or a `false` schema forbids a member; the engine leaves out all that are not listed.',
    explains: ({ verdict, expected, got }) =>
      !verdict.calls &&
      expected.length === got.length &&
      expected.every((call, i) => call.name === got[i]?.name && covers(got[i]?.arguments, call.arguments)),
  },
  {
    title: 'Of a repeated parameter the last counts',
    stance: 'policy',
    why: 'ai-sdk makes a list of them or refuses the call; so does vLLM’s minicpm5.',
    explains: ({ verdict, text, expected, got }) =>
      !verdict.calls && repeats(text, got) && expected.length <= got.length,
  },
  {
    title: 'Faint marks count at the start of a line and after a sentence',
    stance: 'policy',
    why: 'JSON or a list in the middle of a sentence is a quotation, and a tool nobody declared is none there.',
    explains: ({ isFaint, expected, got }) => isFaint && expected.length > got.length,
  },
  {
    title: 'A call that was cut off is never completed',
    stance: 'policy',
    why: 'The engine closes strings and objects that were never closed. Half a file must not be written, so the text stays text.',
    explains: ({ expected, got, text }) => expected.length > got.length && isCutOff(text),
  },
  {
    title: 'A name no client could declare',
    stance: 'policy',
    why: 'Names are letters, digits, `_`, `-`, `.`, `:` and `/`; markup in a name is refused. A name that a prefix or case keeps from a declared one is corrected.',
    explains: ({ expected, got }) =>
      expected.some(({ name }) => /[^\w.:/-]/.test(name)) ||
      (expected.length === got.length && expected.some(({ name }, i) => name !== got[i]?.name)),
  },
  {
    title: 'A call without arguments is a call',
    stance: 'policy',
    why: 'The engine wants an arguments object; here its absence means `{}`.',
    explains: ({ expected, got }) =>
      got.length > expected.length && got.every(({ arguments: json }) => JSON.stringify(json) === '{}'),
  },
  {
    title: 'A call that is complete is kept, whatever its schema says',
    stance: 'policy',
    why: 'ai-sdk and minicpm5 turn calls that do not fit their schema, or that needed another repair than theirs, into text or nothing. Here they go to the client, or to `repair`, with a note.',
    explains: ({ source, verdict, expected, got }) =>
      got.length > expected.length && (source === 'ai-sdk' || verdict.vector.format === 'minicpm5'),
  },
  {
    title: 'A call whose arguments are complete needs no closer and no wrapper',
    stance: 'policy',
    why: 'The engine drops, or shows as text, calls whose closer, section or stop token is missing or spelled otherwise. Stop tokens are seldom in the text.',
    explains: ({ expected, got }) => got.length > expected.length,
  },
  {
    title: 'An unreadable or unfinished call stays text',
    stance: 'policy',
    why: 'The engine swallows it, or shows a part. Nothing a model said is dropped, and nothing that is no call is taken out of the text.',
    explains: ({ verdict, wanted, content }) => verdict.calls && mark.test(content) && content.length > wanted.length,
  },
  {
    title: 'Text after and between calls is kept',
    stance: 'policy',
    why: 'The engine drops it.',
    explains: ({ verdict, wanted, content }) =>
      verdict.calls && content.length > wanted.length && squeezed(content).includes(squeezed(wanted)),
  },
  {
    title: 'White space between words and calls',
    stance: 'policy',
    why: 'What stood between the words stays between them; the engine makes one newline of it, or none.',
    explains: ({ verdict, wanted, content }) => verdict.calls && squeezed(content) === squeezed(wanted),
  },
  {
    title: 'A call that an engine refuses and shows',
    stance: 'policy',
    why: 'The engine takes a damaged call for text; here it is read, with a note. Its text is then not content.',
    explains: ({ verdict, expected, got, wanted, content }) =>
      verdict.calls && expected.length === got.length && wanted.length > content.length,
  },
  {
    title: 'Salvage that is not tried',
    stance: 'limit',
    why: 'ai-sdk strips tags out of prose in place of arguments, knows tags of its own for calls, makes lists of lines, and has other rules for quotes that could end in two places.',
    explains: ({ source, expected, got }) => source === 'ai-sdk' && expected.length >= got.length,
  },
  {
    title: 'Damage that is not mended',
    stance: 'limit',
    why: 'Noise inside a section, control tokens between marks, quotes that could end in two places, and values the engine cuts differently.',
    explains: () => true,
  },
]

/** The reason of a row that differs; undefined for one that does not. */
export function reasonFor(verdict: Verdict): Reason | undefined {
  if (verdict.calls && verdict.content !== false) return undefined
  const row = toRow(verdict)
  return reasons.find((reason) => reason.explains(row))
}

function toRow(verdict: Verdict): Row {
  const { vector, got } = verdict
  const dialect = findDialect(vector.format)
  return {
    verdict,
    text: vector.text,
    source: vector.source,
    expected: vector.expected_calls,
    got: got.calls as readonly Called[],
    wanted: (vector.expected_content ?? '').trim(),
    content: got.content.trim(),
    names: new Set(
      dialect === undefined || vector.tools === undefined ? [] : toolsOf(vector, dialect).tools.map(({ name }) => name),
    ),
    isFaint: dialect?.grammar.faint === true,
  }
}

/** A mark of some dialect, or the beginning of one. */
const mark =
  /<\/?\|?(?:tool|function|param|invoke|call|arg_|open|close|start|channel|message|content_|python|TOOLCALL|action|START|END|atem|dots|minimax|seed|steptml|[a-z_]+>)|[<｜]｜|｜DSML|\[TOOL_CALLS|functools|\]<\]minimax|^\s*[[{]|",? "|Action:/
const thought = /think>|\[THINK|to=self|content_thinking|analysis|inner_prefix|START_THINKING|<\/?response>|to=user/

function squeezed(text: string): string {
  return text.replace(/\s+/g, '')
}

/** Whether the text ends inside a call, or a string in it was never closed. */
function isCutOff(text: string): boolean {
  return !/(?:>|\]|\}|\)|```)\s*$/.test(text) || text.replace(/\\./g, '').split('"').length % 2 === 0
}

/** Whether an argument that was read was written more than once. */
function repeats(text: string, got: readonly Called[]): boolean {
  const keys = [...text.matchAll(/<(?:param(?:eter)?\s*(?:=|name=)?\s*"?)?([\w-]+)"?\s*\/?>/g)].map(([, key]) => key)
  const read = new Set(got.flatMap(({ arguments: json }) => Object.keys((json ?? {}) as object)))
  return keys.some((key, i) => key !== undefined && read.has(key) && keys.indexOf(key) < i)
}

function isNumber(value: unknown): value is { readonly rawJSON: string } {
  return typeof value === 'object' && value !== null && 'rawJSON' in value
}

function printed(value: unknown): string {
  return isNumber(value) ? value.rawJSON : typeof value === 'string' ? value : JSON.stringify(value)
}

/** A scalar without its type: `5`, `"5"` and `5.0` are one. */
function flat(value: unknown): unknown {
  const text = canonical(printed(value))
  return text.trim() !== '' && Number.isFinite(Number(text)) ? String(Number(text)) : text
}

function canonical(text: string): string {
  try {
    return JSON.stringify(parseExactly(text))
  } catch {
    return text
  }
}

function decode(text: string): string {
  return text.replace(
    /&(lt|gt|quot|apos|amp);/g,
    (_, name: string) => ({ lt: '<', gt: '>', quot: '"', apos: "'" })[name] ?? '&',
  )
}

/** Whether calls are the same once every member has been evened out. */
function isSameBy(expected: readonly Called[], got: readonly Called[], even: (value: unknown) => unknown): boolean {
  const deep = (value: unknown, depth = 0): unknown => {
    if (Array.isArray(value) && depth < 8) return value.map((item) => deep(item, depth + 1))
    if (typeof value === 'object' && value !== null && !isNumber(value))
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, deep(member, depth + 1)]))
    return even(value)
  }
  const whole = (calls: readonly Called[], change: (value: unknown) => unknown) =>
    JSON.stringify(calls.map(({ name, arguments: json }) => [name, change(json)]))
  const shallow = (json: unknown) =>
    Object.fromEntries(Object.entries((json ?? {}) as object).map(([key, value]) => [key, even(value)]))
  return (
    expected.length === got.length &&
    whole(expected, (json) => json) !== whole(got, (json) => json) &&
    (whole(expected, deep) === whole(got, deep) || whole(expected, shallow) === whole(got, shallow))
  )
}

/** Whether `more` is `some` with members added, types aside. */
function covers(more: unknown, some: unknown): boolean {
  if (typeof some !== 'object' || some === null || isNumber(some)) return flat(more) === flat(some)
  if (typeof more !== 'object' || more === null) return flat(more) === flat(some)
  const own = more as Record<string, unknown>
  return Object.entries(some).every(([key, value]) => Object.hasOwn(own, key) && covers(own[key], value))
}
