import type { Dialect } from '../../../dialects/dialect.ts'
import type { Event } from '../../../protocol/event.ts'
import { escapePattern } from '../../../protocol/text/escape-pattern.ts'
import type { Writable } from '../../../protocol/writable.ts'
import type { Stage } from '../stage.ts'
import { overlap } from './stop.ts'

/** What a tool's result looks like in a dialect. */
export interface ResultMarks {
  /** How one begins, up to the first thing that differs from one to the next; `{name}` stands for a tool that was called. */
  readonly head: string
  /** The head is a mark, and not words that may stand anywhere. */
  readonly isOwn: boolean
  /** Where a service may end the answer for it: unlikely in arguments. */
  readonly stop?: string
  /** Everything before the content, and what closes it; and the first tag alone, and the last closer. */
  readonly forms: readonly { readonly open: RegExp; readonly close: string }[]
}

const ownSign = /^(?:<[^>\s{]{5}|\[TOOL_|✿|Observation:|function result<)/

/** By the words of their teaching: as many as there are dialects. */
const known = new Map<string, ResultMarks>()

export function resultMarksOf({ teaching: { result } }: Dialect): ResultMarks {
  const marks = known.get(result) ?? readResultMarks(result)
  known.set(result, marks)
  return marks
}

function readResultMarks(result: string): ResultMarks {
  const [before = '', after = ''] = result.split('{content}')
  const isOwn = ownSign.test(before)
  const head = isOwn
    ? (/^<[^|｜>\s{][^>\s{]*|^<[^\s{]+|^[^\n{]+/.exec(before)?.[0].trim() ?? '')
    : (before.split(/\n|\{id\}/)[0] ?? '').trim()
  const slots = before.trim().split(/\{\w+\}|\s+/)
  const all = slots.map(escapePattern).join('[^<>]{0,100}?')
  const close = after.trim().replace(/^.*\{id\}\S*?(?=[[<])/, '')
  const last = close.split('\n').at(-1) ?? ''
  const tag = head.startsWith('[') ? '' : head.startsWith('<') && last.startsWith('</') ? '[^<>]{0,100}>' : undefined
  const [stop = ''] = before.split(/[\n{]/)
  return {
    head,
    isOwn,
    ...(isOwn && !/^<(?:response|results?)>/.test(stop) && { stop: stop.trim() }),
    forms: [
      { open: new RegExp(`^\\s*${all}`), close },
      ...(tag === undefined ? [] : [{ open: new RegExp(`^\\s*${escapePattern(head)}${tag}`), close: last }]),
    ],
  }
}

/**
 * Marks of any dialect that are not written by accident right after a call, whatever was taught: how models of all families
 * were shown results.
 */
const unmistakable = [
  '<tool_response',
  '<tool_result',
  '<tool_output',
  '<function_result',
  '<function_response',
  '<TOOL_RESPONSE',
  '<seed:tool_result',
  '<|tool_response',
  '<|start|>functions.',
  '<｜tool▁output',
  '[TOOL_RESULTS]',
]

/** How a tool's result begins that a model of this dialect writes after a call, `{name}` standing for the tool's. */
export function resultHeads(dialect: Dialect | undefined): readonly string[] {
  return [...new Set([...(dialect === undefined ? [] : [resultMarksOf(dialect).head]), ...unmistakable])]
}

/** Longer than this no opener is: what was held for one is text. */
const longestOpener = 400
/** A shorter beginning of a mark may as well be a word. */
const leastPart = 2

/** Takes results out of an answer that a model made up itself. */
export interface InventedResults extends Stage {
  /** The answer ends here: what follows a call is not the model's to say. */
  readonly isCut: boolean
}

/**
 * A result at the beginning of a line after a call: the answer is cut there. At the very beginning of the answer: its words
 * are the answer, without the marks. Anywhere else the marks are words.
 */
export function createInventedResults(spoken: Dialect | undefined): InventedResults {
  if (spoken === undefined) return { isCut: false, push: (events) => events }
  const marks = resultMarksOf(spoken)
  const first = marks.isOwn ? [marks.head] : []
  /** What a result may begin with where the text is now. */
  let heads: readonly string[] = first
  let hasCalled = false
  /** Text whose line may still begin with a mark. */
  let held = ''
  let isLineStart = true
  let hasSpoken = false
  /** What closes the result at the beginning that is being read. */
  let closer: string | undefined
  /** Inside it, and nothing but white space so far. */
  let isFresh = false
  let isNoted = false

  const words = (text: string): readonly Event[] => (text === '' ? [] : [{ type: 'text-delta', text }])

  function note(): readonly Event[] {
    if (isNoted) return []
    isNoted = true
    return [{ type: 'note', kind: 'invented_result' }]
  }

  function release(): readonly Event[] {
    const text = held
    held = ''
    hasSpoken ||= text.trim() !== ''
    return words(text)
  }

  /** Words inside a result, up to its closer. Once that is there, `held` is what stands behind it. */
  function settleInside(close: string, isOver: boolean, passed: Event[]): void {
    if (isFresh) held = held.trimStart()
    isFresh &&= held === ''
    const at = close === '' ? -1 : held.indexOf(close)
    const kept = isOver ? partAtEnd(held, close) : Math.max(overlap(held, close), overlap(held, `\n${close}`))
    const end = at === -1 ? held.length - kept : at
    const isClosing = at !== -1 || (isOver && kept > 0)
    passed.push(...words(isClosing ? held.slice(0, end).trimEnd() : held.slice(0, end)))
    held = at === -1 ? (isOver ? '' : held.slice(end)) : held.slice(end + close.length)
    if (at !== -1) closer = undefined
  }

  /** Takes the opener of a result at the beginning; false where more of it may come. */
  function open(isOver: boolean): boolean {
    const mayWait = !isOver && held.trimStart().length < longestOpener
    for (const [index, form] of marks.forms.entries()) {
      const opener = form.open.exec(held)?.[0]
      if (opener === undefined) continue
      // Behind the first tag there may be more of them.
      if (index > 0 && mayWait && /^\s*(?:<|$)/.test(held.slice(opener.length))) return false
      held = held.slice(opener.length)
      closer = form.close
      isFresh = true
      return true
    }
    return !mayWait
  }

  /** What of the held text may leave; `isOver`: no more comes to it. */
  function settle(isOver: boolean): readonly Event[] {
    const passed: Event[] = []
    for (;;) {
      if (closer !== undefined) {
        settleInside(closer, isOver, passed)
        if (closer !== undefined) return passed
        continue
      }
      if (!hasCalled && hasSpoken) return [...passed, ...release()]
      if (isLineStart) {
        const line = held.trimStart()
        if (heads.some((head) => line.startsWith(head))) {
          if (hasCalled) {
            results.isCut = true
            held = ''
            return [...passed, ...note()]
          }
          if (!open(isOver)) return passed
          if (closer !== undefined) {
            passed.push(...note())
            continue
          }
        } else if (heads.some((head) => head.startsWith(line))) {
          if (!isOver) return passed
          // The answer broke off inside the mark.
          if (line.length >= leastPart && !/^\w/.test(line)) {
            held = ''
            return [...passed, ...note()]
          }
        }
      }
      const next = hasCalled ? held.indexOf('\n') : -1
      if (next === -1) {
        isLineStart = held.trim() === '' && isLineStart
        return [...passed, ...release()]
      }
      passed.push(...words(held.slice(0, next + 1)))
      held = held.slice(next + 1)
      isLineStart = true
      if (held === '') return passed
    }
  }

  function pushOne(event: Event): readonly Event[] {
    if (results.isCut) return event.type === 'text-delta' || 'index' in event ? [] : [event]
    if (event.type === 'text-delta') {
      held += event.text
      return settle(false)
    }
    if (event.type !== 'call-start') return [event]
    const before = settle(true)
    hasCalled = true
    isLineStart = true
    closer = undefined
    heads = [...new Set([...heads, ...resultHeads(spoken).map((head) => head.replace('{name}', event.name))])]
    return results.isCut ? before : [...before, event]
  }

  const results: Writable<InventedResults> = {
    isCut: false,
    push: (events) => events.flatMap(pushOne),
    end: () => (results.isCut ? [] : settle(true)),
  }
  return results
}

/** As `overlap`, where nothing more comes: a single character is a word. */
function partAtEnd(text: string, mark: string): number {
  const length = overlap(text, mark)
  return length < leastPart ? 0 : length
}
