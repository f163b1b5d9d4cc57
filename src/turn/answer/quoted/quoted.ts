import type { Memory } from '../../../protocol/memory/memory.ts'
import { textOf } from '../../../protocol/message.ts'
import type { Request } from '../../../protocol/request.ts'
import type { Tool } from '../../../protocol/tool.ts'
import { compileParameters } from '../../../schema/compile.ts'
import { canonicalJson, leavesOf, squeeze } from './canonical.ts'
import { isNumbered, numberedPlaces, type Place, patternOf, placesOf } from './places.ts'
import { createPlaceReader } from './read.ts'
import { type Reading, readingsOf } from './texts.ts'

/** The calls that stand in what users and tools said. */
export interface QuotedCalls {
  /** Whether any of them has this tool's name: then a call must wait until it can be compared. */
  mayHave(name: string): boolean
  /** Whether this very call is one of them. */
  has(name: string, json: string): boolean
}

/** More than this is not looked through in one request, all readings of its messages taken together. */
const maxText = 8_000_000
/** How far from its name a call's values may stand, beyond their own length. */
const nearby = 256

/**
 * Reads the messages when the first call is about to be told, and for the names that are called only. It is a safeguard:
 * better a call too many is found than one too few. Where a request holds more than may be read, a call counts as quoted
 * if its name stands somewhere with all its values close by.
 */
export function createQuotedCalls(
  { messages }: Pick<Request, 'messages'> & Partial<Request>,
  tools: readonly Tool[],
  known?: Memory<readonly Reading[]>,
): QuotedCalls {
  const found = new Map<string, Set<string>>()
  const asked = new Set<string>()
  const reader = createPlaceReader(tools, (name, json) => {
    const known = found.get(name) ?? new Set()
    found.set(name, known.add(canonicalJson(json)))
  })
  let said: Said | undefined
  let folded: readonly string[] | undefined
  let isSpent = false

  function readMessages(): Said {
    if (said !== undefined) return said
    said = readingsIn(messages, known)
    for (const reading of said.readings) if (isNumbered(reading)) readAll(reading.text, numberedPlaces(reading.text))
    return said
  }

  function readAll(text: string, places: Iterable<Place>): void {
    if (isSpent) return
    for (const place of places) {
      isSpent = !reader.read(text, place)
      if (isSpent) return
    }
  }

  function lookFor(name: string): void {
    if (asked.has(name)) return
    asked.add(name)
    const keys = compileParameters(tools.find((tool) => tool.name === name)?.parameters).properties
    const wanted = { name, keys, pattern: patternOf(name) }
    for (const reading of readMessages().readings) {
      if (reading.has(name, wanted.pattern)) readAll(reading.text, placesOf(reading.text, wanted))
    }
  }

  /** Asks about what could not be read. */
  function stands(isThere: (text: string) => boolean): boolean {
    const { readings, unread } = readMessages()
    if (!isSpent && unread.length === 0) return false
    folded ??= [...readings.map(({ text }) => text), ...unread].map(fold)
    return folded.some(isThere)
  }

  return {
    mayHave(name) {
      lookFor(name)
      return found.has(name) || stands((text) => text.includes(fold(name)))
    },
    has(name, json) {
      lookFor(name)
      if (found.get(name)?.has(canonicalJson(json)) === true) return true
      const values = leavesOf(json).map(fold)
      return stands((text) => standTogether(text, fold(name), values))
    },
  }
}

interface Said {
  readonly readings: readonly Reading[]
  /** Messages that were too long to be read. */
  readonly unread: readonly string[]
}

/** Without any of these there is no call, however it is written. */
const mayHold = /[{(<]|\\u00|&(?:lt|#)|Action Input/

/** What users and tools said, the latest first: a model repeats what it has just been told. */
function readingsIn(messages: Request['messages'], known: Memory<readonly Reading[]> | undefined): Said {
  const readings: Reading[] = []
  const unread: string[] = []
  let length = 0
  for (const text of textsIn(messages)) {
    if (!mayHold.test(text)) continue
    if (unread.length > 0 || length + text.length > maxText) {
      unread.push(text)
      continue
    }
    for (const reading of readingsOf(text, known)) {
      readings.push(reading)
      length += reading.text.length
    }
  }
  return { readings, unread }
}

/** A call may begin in one message of the user and go on in the next, so far from where they meet. */
const seam = 4096

function* textsIn(messages: Request['messages']): Iterable<string> {
  let next = ''
  for (const { role, content } of messages.toReversed()) {
    if (role !== 'user' && role !== 'tool') continue
    const text = textOf(content)
    yield text
    if (role !== 'user') continue
    if (next !== '') yield text.slice(-seam) + next.slice(0, seam)
    next = text
  }
}

/** Text without anything in which two spellings of it may differ. */
function fold(text: string): string {
  return squeeze(text)
    .toLowerCase()
    .replace(/[-_.\\"']/g, '')
}

/** Whether a name stands with all these values around it; without values, with what begins arguments behind it. */
function standTogether(text: string, name: string, values: readonly string[]): boolean {
  const reach = values.reduce((sum, value) => sum + value.length, nearby)
  const step = values.length === 0 ? name.length : reach
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + step)) {
    const around = text.slice(Math.max(0, at - reach), at + 2 * reach)
    const isThere = values.length === 0 ? '({<>,:'.includes(text.charAt(at + name.length)) : true
    if (isThere && values.every((value) => around.includes(value))) return true
  }
  return false
}
