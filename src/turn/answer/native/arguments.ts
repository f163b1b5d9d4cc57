import { readWholeArguments } from '../../../engine/forms/arguments.ts'
import { readJson } from '../../../engine/forms/json/json.ts'
import { isFitting } from '../../../engine/forms/members.ts'
import type { Pen } from '../../../engine/text/pen.ts'
import { run, runWhole } from '../../../engine/text/running.ts'
import { Source, type Step } from '../../../engine/text/source.ts'
import type { NoteKind } from '../../../protocol/note.ts'
import type { Writable } from '../../../protocol/writable.ts'
import type { Node } from '../../../schema/node.ts'

type Outcome = 'complete' | 'cut' | 'stuck'

/** The arguments of one native call, put right by the tool's schema while they arrive. */
export interface NativeArguments {
  /** What may leave of them now. What fits the schema leaves as it came, to the letter. */
  push(text: string): string
  /** `complete`, `cut` inside a value, or unreadable. An empty text is complete: no arguments. */
  end(): { readonly outcome: Outcome; readonly rest: string }
  /** They were read to their end. */
  readonly isComplete: boolean
  readonly notes: readonly ArgumentsNote[]
}

interface ArgumentsNote {
  readonly kind: NoteKind
  readonly detail?: string
}

const maxWrappings = 3

/** What services send for no arguments. */
const nothing = new Set(['', 'null', '[]', 'None'])
/** So far a beginning is looked at that may be no arguments. */
export const longestNothing = 64
/** `{}` may be all there is, or what a service says before the arguments. */
const mayBeNothing = /^\s*\{\s*\}?\s*$/
const nothingBefore = /^\s*\{\s*\}\s*(?=\{)/

/**
 * Services send an object; but some send nothing or `null` for none, and some JSON inside a string, which has to wait for
 * its end.
 */
export function createNativeArguments(node: Node): NativeArguments {
  const source = new Source()
  const notes: ArgumentsNote[] = []
  let reading: Step<Outcome> | undefined
  let outcome: Outcome | undefined
  let out = ''
  let waiting = ''
  /** The first character that waits, white space aside: to look at all of it for every piece would cost the square. */
  let first = ''

  const pen = {
    write: (json: string) => void (out += json),
    note: (kind: NoteKind, detail?: string) => void notes.push({ kind, ...(detail === undefined ? {} : { detail }) }),
  }

  function take(): string {
    const json = out
    out = ''
    return json
  }

  function resume(): void {
    if (reading === undefined || outcome !== undefined) return
    const step = run(source, reading)
    if (step.done !== true) return
    outcome = step.value
    read.isComplete = outcome === 'complete'
    if (read.isComplete) out += '}'
  }

  function feed(text: string): void {
    if (text === '' || outcome !== undefined) return
    if (!source.push(text)) resume()
  }

  /** Gives the reader what waited, as soon as it is known to be an object. A character in two halves waits for its other half. */
  function open(isEnd = false): void {
    if (reading === undefined) {
      if (first !== '{' || (!isEnd && waiting.length <= longestNothing && mayBeNothing.test(waiting))) return
      const alone = waiting.replace(nothingBefore, '')
      if (alone !== waiting) pen.note('arguments_repaired', 'left out {} before them')
      waiting = alone
      reading = readWholeArguments(source, node, pen) as Step<Outcome>
      resume()
    }
    const last = waiting.charCodeAt(waiting.length - 1)
    const whole = last >= 0xd800 && last <= 0xdbff ? waiting.slice(0, -1) : waiting
    waiting = waiting.slice(whole.length)
    feed(whole)
  }

  function unwrap(): void {
    for (let wrapping = 0; wrapping < maxWrappings && waiting.trimStart().startsWith('"'); wrapping++) {
      try {
        waiting = String(JSON.parse(waiting))
      } catch {
        // The string has not ended yet.
        return
      }
      pen.note('arguments_repaired', 'unwrapped from a string')
    }
  }

  const read: Writable<NativeArguments> = {
    isComplete: false,
    push(text) {
      first ||= text.trimStart().charAt(0)
      waiting += text
      open()
      return take()
    },
    end() {
      if (reading === undefined) {
        unwrap()
        const bare = waiting.trim()
        first = bare.charAt(0)
        if (nothing.has(bare)) {
          pen.note('empty_arguments')
          return { outcome: 'complete', rest: '{}' }
        }
        open(true)
        if (reading === undefined && ('null'.startsWith(bare) || bare.startsWith('"')))
          return { outcome: 'cut', rest: '' }
        if (reading === undefined) return readAmong(bare, node, pen)
      }
      feed(waiting)
      waiting = ''
      source.end()
      while (outcome === undefined) resume()
      if (outcome === 'complete' && source.text.slice(source.at).trim() !== '')
        pen.note('arguments_repaired', 'left out what followed them')
      return { outcome, rest: take() }
    },
    notes,
  }
  return read
}

/** Arguments with something around them that is none: believed where they fit the tool. */
function readAmong(text: string, node: Node, pen: Pen): { readonly outcome: Outcome; readonly rest: string } {
  let rest = ''
  const write = (json: string): void => void (rest += json)
  const at = text.indexOf('{')
  const outcome = at < 0 ? 'stuck' : runWhole(text.slice(at), (source) => readJson(source, node, { ...pen, write }))
  if (outcome !== 'complete' || !isFitting(node, rest)) return { outcome: 'stuck', rest: '' }
  pen.note('arguments_repaired', 'left out what stood around them')
  return { outcome, rest }
}
