import type { Pen } from '../../src/engine/pen.ts'
import { Source, type Step } from '../../src/engine/source.ts'
import type { JsonSchema } from '../../src/protocol/json.ts'
import { compileSchema } from '../../src/schema/compile.ts'

/** What a reader of values made of a text: what it wrote, noted and returned, and what it left unread. */
export interface Collected<T> {
  readonly json: string
  readonly notes: readonly string[]
  readonly result: T
  readonly rest: string
}

/** Runs a reader over a text, one character at a time. */
export function collect<T>(text: string, read: (source: Source, pen: Pen) => Step<T>): Collected<T> {
  const source = new Source()
  const notes: string[] = []
  let json = ''
  const pen: Pen = {
    write: (piece) => void (json += piece),
    note: (kind, detail) => void notes.push(detail === undefined ? kind : `${kind} ${detail}`),
  }
  const reading = read(source, pen)
  const chars = [...text]
  for (let step = reading.next(); ; step = reading.next()) {
    if (step.done === true)
      return { json, notes, result: step.value, rest: source.text.slice(source.at) + chars.join('') }
    const next = chars.shift()
    if (next === undefined) source.ended = true
    else feed(source, next, chars)
  }
}

export const schemaOf = (properties: Readonly<Record<string, JsonSchema>>, closed = false) =>
  compileSchema({ type: 'object', properties, ...(closed ? { additionalProperties: false } : {}) })

/** A chunk the reader's fast path takes whole does not resume it. */
function feed(source: Source, first: string, chars: string[]): void {
  for (let next: string | undefined = first; next !== undefined && source.push(next); next = chars.shift());
}
