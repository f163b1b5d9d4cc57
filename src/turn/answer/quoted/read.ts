import type { Dialect } from '../../../dialects/dialect.ts'
import { dialects } from '../../../dialects/registry.ts'
import { createReader } from '../../../engine/reader.ts'
import type { Event } from '../../../protocol/event.ts'
import type { Tool } from '../../../protocol/tool.ts'
import type { Place } from './places.ts'

/** What one request may cost: characters read, and places read from. */
const maxWork = 1_000_000
const maxPlaces = 2_000
/** Longer calls are not compared: models do not repeat them to the letter. */
const maxLength = 65_536
const firstPiece = 128

export interface PlaceReader {
  /** Reads the call that begins at a place, if one does. False when all together cost too much. */
  read(text: string, place: Place): boolean
}

/** Reads with the engine and the same tools as an answer is read, so that a call comes out as it would there. */
export function createPlaceReader(tools: readonly Tool[], onCall: (name: string, json: string) => void): PlaceReader {
  const seen = new Map<string, string[]>()
  let work = 0
  let places = 0

  /** The readings of a message are much alike. Comparing costs little, but not nothing. */
  function isSeen(text: string, from: number, head: string): boolean {
    return (
      seen.get(head)?.some((read) => {
        work += 1 + (read.length >> 4)
        return text.startsWith(read, from)
      }) === true
    )
  }

  return {
    read(text, { prefix, from, to, suffix = '', dialect, needsArguments = false }) {
      const head = `${dialect?.name} ${needsArguments} ${prefix} ${text.slice(from, from + 32)}`
      if (work > maxWork) return false
      if (isSeen(text, from, head)) return true
      if (++places > maxPlaces) return false
      const last = to === 'parenthesis' ? endOfParentheses(text, from) : (to ?? text.length)
      if (to === 'parenthesis') work += (last < 0 ? maxCode : last - from) >> 2
      if (last < from) return true
      const reader = createReader({
        dialect,
        others: dialect === undefined ? dialects : none,
        tools,
        unknownTools: 'call',
        parallel: true,
        isExcerpt: true,
        newId: () => '',
      })
      const goesOnAfter = createCallWatch((name, json) =>
        needsArguments && json === '{}' ? undefined : onCall(name, json),
      )
      const end = Math.min(last, from + maxLength)
      let goesOn = goesOnAfter(reader.push(prefix))
      let at = from
      for (let size = firstPiece; goesOn && at < end; size *= 2) {
        const next = Math.min(at + size, end)
        goesOn = goesOnAfter(reader.push(text.slice(at, next)))
        at = next
      }
      if (goesOn && end === last && goesOnAfter(reader.push(suffix))) goesOnAfter(reader.end('stop'))
      work += reader.work
      const alike = seen.get(head)
      if (alike === undefined) seen.set(head, [text.slice(from, at)])
      else alike.push(text.slice(from, at))
      return true
    },
  }
}

const none: readonly Dialect[] = []

/** Follows events until a call has ended or failed, or something else was said; then it returns false. */
function createCallWatch(onCall: (name: string, json: string) => void): (events: readonly Event[]) => boolean {
  let name = ''
  let json = ''
  return (events) => {
    for (const event of events) {
      if (event.type === 'call-start') name = event.name
      else if (event.type === 'call-delta') json += event.json
      else if (event.type === 'call-end') {
        onCall(name, json)
        return false
      } else if (event.type === 'call-error') return false
      else if (event.type === 'text-delta' && event.text.trim() !== '') return false
    }
    return true
  }
}

/** Longer expressions are not looked through. */
const maxCode = 16_384

const pieces = /\\.|"""|'''|["'()[\]{}]/gs

/** Behind the parenthesis that closes the one at `from`, strings left aside; -1 when none does. */
function endOfParentheses(text: string, from: number): number {
  let depth = 0
  let quote = ''
  const code = text.slice(from, from + maxCode)
  for (const { 0: piece, index } of code.matchAll(pieces)) {
    if (quote !== '') {
      if (piece.startsWith(quote)) quote = ''
    } else if (/^["']/.test(piece)) quote = piece
    else if ('([{'.includes(piece)) depth++
    else if (')]}'.includes(piece) && --depth === 0) return from + index + 1
  }
  return -1
}
