import type { Dialect } from '../../../dialects/dialect.ts'
import type { Event } from '../../../protocol/event.ts'
import type { Writable } from '../../../protocol/writable.ts'
import type { Stage } from '../stage.ts'

/** The marks around a tool's result in a dialect, where they can be nothing else. */
export interface ResultMarks {
  /** How a result begins, up to the first thing that differs from one to the next. */
  readonly head: string
  /** The whole opener, and the closer. */
  readonly open: RegExp
  readonly close: string
}

const ownSign = /^(?:<[^>\s{]{5}|\[TOOL_|✿|Observation:)/

export function resultMarksOf({ teaching }: Dialect): ResultMarks | undefined {
  const [before = '', after = ''] = teaching.result.split('{content}')
  const head = (before.split('{')[0] ?? '').trim()
  if (!ownSign.test(head)) return undefined
  const slots = before.trim().split(/\{\w+\}|\s+/)
  const pattern = slots.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^<>]{0,100}?')
  return { head, open: new RegExp(`^\\s*${pattern}`), close: after.trim() }
}

/** Longer than this no opener is: what was held for one is text. */
const longestOpener = 400

/** Takes results out of an answer that a model made up itself. */
export interface InventedResults extends Stage {
  /** The answer ends here: what follows a call is not the model's to say. */
  readonly isCut: boolean
}

/**
 * A result at the beginning of a line after a call: the answer is cut there. At the very beginning of the answer: its words
 * are the answer, without the marks. Anywhere else the marks are words.
 */
export function createInventedResults(marks: ResultMarks | undefined): InventedResults {
  if (marks === undefined) return { isCut: false, push: (events) => events }
  const { head, open, close } = marks
  let hasCalled = false
  /** Text whose line may still begin with the mark. */
  let held = ''
  let isLineStart = true
  let hasSpoken = false
  /** The opener at the beginning was taken out: its closer is awaited. */
  let isInside = false
  /** Inside, and nothing but white space so far. */
  let isFresh = false

  const note: Event = { type: 'note', kind: 'invented_result' }
  const words = (text: string): readonly Event[] => (text === '' ? [] : [{ type: 'text-delta', text }])

  function release(): readonly Event[] {
    const text = held
    held = ''
    hasSpoken ||= text.trim() !== ''
    return words(text)
  }

  /** What of the held text may leave; `isOver`: no more comes to it. */
  function settle(isOver: boolean): readonly Event[] {
    const passed: Event[] = []
    for (;;) {
      if (isInside) {
        if (isFresh) held = held.trimStart()
        isFresh &&= held === ''
        const at = held.indexOf(close)
        if (close !== '' && at !== -1) {
          isInside = false
          passed.push(...words(held.slice(0, at).trimEnd()))
          held = held.slice(at + close.length)
          hasSpoken = true
          continue
        }
        const kept = isOver ? 0 : overlap(held, `\n${close}`)
        passed.push(...words(held.slice(0, held.length - kept)))
        held = held.slice(held.length - kept)
        return passed
      }
      if (!hasCalled && hasSpoken) return [...passed, ...release()]
      if (isLineStart) {
        const line = held.trimStart()
        if (line.startsWith(head)) {
          if (hasCalled) {
            results.isCut = true
            held = ''
            return [...passed, note]
          }
          const opener = open.exec(held)
          if (opener === null && !isOver && line.length < longestOpener) return passed
          if (opener !== null) {
            held = held.slice(opener[0].length)
            isInside = true
            isFresh = true
            passed.push(note)
            continue
          }
        } else if (!isOver && head.startsWith(line)) return passed
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
    return results.isCut ? before : [...before, event]
  }

  const results: Writable<InventedResults> = {
    isCut: false,
    push: (events) => events.flatMap(pushOne),
    end: () => (results.isCut ? [] : settle(true)),
  }
  return results
}

/** How many characters at the end of the text could be the beginning of the mark. */
function overlap(text: string, mark: string): number {
  for (let length = Math.min(text.length, mark.length - 1); length > 0; length--) {
    if (text.endsWith(mark.slice(0, length))) return length
  }
  return 0
}
