import { deepEqual } from 'node:assert/strict'
import type { Pen } from '../../src/engine/text/pen.ts'
import { run } from '../../src/engine/text/running.ts'
import { Source, type Step } from '../../src/engine/text/source.ts'
import type { JsonSchema } from '../../src/protocol/json.ts'
import { compileSchema } from '../../src/schema/compile.ts'

/** What a reader of values made of a text: what it wrote, noted and returned, and what it left unread. */
export interface Collected<T> {
  readonly json: string
  readonly notes: readonly string[]
  readonly result: T
  readonly rest: string
}

/** Runs a reader over a text, whole and one character at a time, which must be the same. */
export function collect<T>(text: string, read: (source: Source, pen: Pen) => Step<T>): Collected<T> {
  const whole = collectPieces([text], read)
  deepEqual(collectPieces([...text], read), whole)
  return whole
}

function collectPieces<T>(pieces: string[], read: (source: Source, pen: Pen) => Step<T>): Collected<T> {
  const source = new Source()
  const notes: string[] = []
  let json = ''
  const pen: Pen = {
    write: (piece) => void (json += piece),
    note: (kind, detail) => void notes.push(detail === undefined ? kind : `${kind} ${detail}`),
  }
  const reading = read(source, pen)
  for (let step = run(source, reading); ; step = run(source, reading)) {
    if (step.done === true) return { json, notes, result: step.value, rest: restOf(source) + pieces.join('') }
    const next = pieces.shift()
    if (next !== undefined) feed(source, next, pieces)
    else if (source.ended) throw new Error('it waits for more after the end')
    else source.end()
  }
}

function restOf(source: Source): string {
  let rest = ''
  do {
    rest += source.text.slice(source.at)
    source.at = source.text.length
  } while (source.advance())
  return rest
}

export const schemaOf = (properties: Readonly<Record<string, JsonSchema>>, closed = false) =>
  compileSchema({ type: 'object', properties, ...(closed ? { additionalProperties: false } : {}) })

/** A chunk the reader's fast path takes whole does not resume it. */
function feed(source: Source, first: string, pieces: string[]): void {
  for (let next: string | undefined = first; next !== undefined && source.push(next); next = pieces.shift());
}
