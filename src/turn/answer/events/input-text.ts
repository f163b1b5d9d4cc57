import type { Event } from '../../../protocol/event.ts'
import { isJsonObject, parseJson } from '../../../protocol/json.ts'
import type { Writable } from '../../../protocol/writable.ts'
import type { InputChecks } from '../../inputs/checks.ts'
import type { Stage } from '../stage.ts'

/** The calls of custom tools, read as functions with one argument, become calls with a text. */
export function createInputTexts(custom: ReadonlySet<string>): Stage {
  const open = new Map<number, InputText>()

  function passOne(event: Event): readonly Event[] {
    if (event.type === 'call-start' && custom.has(event.name)) open.set(event.index, createInputText())
    if (event.type !== 'call-delta' && event.type !== 'call-end') return [event]
    const { index } = event
    const text = open.get(index)
    if (text === undefined) return [event]
    const json = event.type === 'call-end' ? text.end() : text.push(event.json)
    const told: readonly Event[] = json === '' ? [] : [{ type: 'call-delta', index, json }]
    if (event.type === 'call-delta') return told
    open.delete(index)
    return [...told, event]
  }

  return { push: (events) => (custom.size === 0 ? events : events.flatMap(passOne)) }
}

/** Decodes the text of a custom tool out of the JSON of its call, while that comes. */
export interface InputText {
  /** What can be told of the text by now, beyond what was told before. */
  push(json: string): string
  /** The rest of it. */
  end(): string
  /** All that was told. */
  readonly told: string
}

const opening = /^\s*\{\s*"input"\s*:\s*"/
/** What may turn out to be a wrapping, and is not told before its end. */
const wrapping = /^\s*(?:`|\{)/

export function createInputText(): InputText {
  let json = ''
  /** How much of the JSON is decoded; undefined: it has not come to the text. */
  let at: number | undefined
  let isOver = false
  let pending = ''
  let isWrapped: boolean | undefined

  function tell(piece: string): string {
    text.told += piece
    return piece
  }

  function decode(): string {
    if (at === undefined) {
      const found = opening.exec(json)
      if (found === null) return ''
      at = found[0].length
    }
    if (isOver) return ''
    const decoded = decodeString(json, at)
    at = decoded.end
    isOver = decoded.closed
    return decoded.text
  }

  const text: Writable<InputText> = {
    told: '',
    push(piece) {
      json += piece
      pending += decode()
      if (isWrapped === undefined) {
        if (pending.trimStart() === '') return ''
        isWrapped = wrapping.test(pending)
      }
      if (isWrapped) return ''
      const out = pending
      pending = ''
      return tell(out)
    },
    end() {
      if (at !== undefined && isWrapped === false) return tell(pending)
      return tell(unwrap(wholeText(json)))
    },
  }
  return text
}

/** The characters of a JSON string from a place inside it, as far as they are certain. */
function decodeString(json: string, from: number): { text: string; end: number; closed: boolean } {
  let end = from
  let closed = false
  while (end < json.length) {
    const character = json[end]
    if (character === '"') {
      closed = true
      break
    }
    if (character !== '\\') {
      end += 1
      continue
    }
    const length = json[end + 1] === 'u' ? 6 : 2
    if (end + length > json.length) break
    // The first half of a character goes with its second.
    if (/^\\ud[89ab]/i.test(json.slice(end, end + 4)) && end + 12 > json.length && !isHalfAlone(json, end + 6)) break
    end += length
  }
  return { text: JSON.parse(`"${json.slice(from, end)}"`) as string, end, closed }
}

function isHalfAlone(json: string, next: number): boolean {
  const following = json.slice(next, next + 2)
  return following !== '' && !'\\u'.startsWith(following)
}

/** The text that arguments mean: what stands under `input`, or the only text there is. */
function wholeText(json: string): string {
  const value = parseJson(json)
  if (typeof value === 'string') return value
  if (!isJsonObject(value)) return json
  if (typeof value['input'] === 'string') return value['input']
  const [only, ...others] = Object.values(value)
  return typeof only === 'string' && others.length === 0 ? only : json
}

const fence = /^\s*(`{3,})[^\n`]*\n([\s\S]*?)\n?\1\s*$/

/** Models wrap such texts in what they are used to: a code fence, or the arguments once more. */
function unwrap(text: string): string {
  const value = wrapping.test(text) ? parseJson(text) : undefined
  if (isJsonObject(value) && typeof value['input'] === 'string' && Object.keys(value).length === 1) {
    return unwrap(value['input'])
  }
  const fenced = fence.exec(text)
  const [, ticks = '', inner = ''] = fenced ?? []
  return fenced === null || inner.includes(ticks) ? text : `${inner}\n`
}

/** Texts of custom tools that can be put right in one way only are. Their calls come whole. */
export function createInputMend(checks: InputChecks): Stage {
  let name = ''

  function passOne(event: Event): readonly Event[] {
    if (event.type === 'call-start') name = event.name
    if (event.type !== 'call-delta') return [event]
    const mended = checks.of(name)?.mend(event.json)
    if (mended === undefined) return [event]
    const { index } = event
    return [
      { ...event, json: mended },
      { type: 'note', kind: 'input_mended', detail: name, index },
    ]
  }

  return { push: (events) => events.flatMap(passOne) }
}
