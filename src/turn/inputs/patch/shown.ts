import { isJsonObject, type Json, parseJson } from '../../../protocol/json.ts'
import { callsOf, type Message, textOf } from '../../../protocol/message.ts'

/** What a conversation has shown of files. */
export interface Shown {
  /** The texts that showed this file since something may have changed it, the latest first, each in lines. */
  of(path: string): readonly (readonly string[])[]
  /** Whether a line, white space around it aside, stands anywhere in the conversation. */
  has(line: string): boolean
}

export function readShown(messages: readonly Message[]): Shown {
  const told = textsOf(messages)
  let lines: Set<string> | undefined
  return {
    of(path) {
      const name = path.split('/').at(-1) ?? path
      const names = new RegExp(`(?:^|[^\\w.-])${name.replace(/[^\w\s]/g, '\\$&')}(?![\\w-])`)
      const views: (readonly string[])[] = []
      for (const { about, text } of told.toReversed()) {
        if (!names.test(about)) continue
        // Whatever says nothing may have changed it.
        if (text.trim() === '') break
        views.push(...viewsIn(text))
      }
      return views
    },
    has(line) {
      lines ??= new Set(told.flatMap(({ about, text }) => [...linesIn(about), ...linesIn(text)]))
      return lines.has(line.trim())
    },
  }
}

/** A text that may show a file, and what tells which: the call it is the result of, or itself. */
interface ShownText {
  readonly about: string
  readonly text: string
}

function textsOf(messages: readonly Message[]): readonly ShownText[] {
  const calls = new Map<string, string>()
  return messages.flatMap((message): readonly ShownText[] => {
    const text = textOf(message.content)
    if (message.role === 'tool') {
      const about = calls.get(message.callId) ?? ''
      // What a patch says of itself shows no file.
      return [about.includes('*** Begin Patch') ? { about, text: '' } : { about: `${about}\n${text}`, text }]
    }
    if (message.role !== 'assistant') return [{ about: text, text }]
    for (const { id, arguments: given } of callsOf(message))
      calls.set(id, stringsIn(parseJson(given) ?? given).join('\n'))
    return []
  })
}

/** `cat -n` and `nl`, readers of agents, and what a search finds in files. */
const numbering = /^ *L?(\d+)(?:\t|→|: ?| ?[|│] ?)/
const finding = /^\S+?[:-]\d+[:-]|^\d+[:-]/
const sign = /^[-+ ]/

/** A text in the lines it shows of a file: without their numbers, if it counts them; in none, if it is what a search found. */
function viewsIn(text: string): readonly (readonly string[])[] {
  return textsIn(text).flatMap((one) => {
    const lines = one.split(/\r?\n/)
    if (isCounted(lines)) return [lines.map((line) => line.replace(numbering, ''))]
    const filled = lines.filter((line) => line.trim() !== '')
    return filled.length > 1 && filled.every((line) => finding.test(line)) ? [] : [lines]
  })
}

function isCounted(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== '')
  const numbers = filled.flatMap((line) => numbering.exec(line)?.[1] ?? [])
  return numbers.length * 2 > filled.length && numbers.every((n, at) => Number(n) === Number(numbers[0]) + at)
}

/** Every line a text may show, bare. */
function linesIn(text: string): readonly string[] {
  return textsIn(text).flatMap((one) => {
    const lines = one.split(/\r?\n/)
    const bare = (line: string) => [line, line.replace(finding, ''), line.replace(sign, '')]
    const all = isCounted(lines) ? lines.map((line) => line.replace(numbering, '')) : lines.flatMap(bare)
    return all.map((line) => line.trim())
  })
}

/** Texts in JSON as what they say. */
function textsIn(text: string): readonly string[] {
  const value = /^\s*[{["]/.test(text) ? parseJson(text) : undefined
  return value === undefined ? [text] : stringsIn(value)
}

function stringsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap((one: Json) => stringsIn(one))
  return isJsonObject(value) ? Object.values(value).flatMap(stringsIn) : []
}
