import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event } from '../../../protocol/event.ts'
import { createStopCut } from './stop.ts'

const text = (words: string): Event => ({ type: 'text-delta', text: words })

function cut(stops: readonly string[], events: readonly (readonly Event[])[]) {
  const stop = createStopCut(stops)
  const passed = [...events.flatMap((batch) => stop.push(batch)), ...(stop.end?.() ?? [])]
  return {
    passed,
    isCut: stop.isCut,
    said: passed.map((event) => (event.type === 'text-delta' ? event.text : '')).join(''),
  }
}

test.each([
  ['before the stop', ['END'], 'one END two', 'one '],
  ['before the first of several', ['two', 'END'], 'one two END', 'one '],
  ['before one that begins earlier and ends later', ['bab', 'a'], 'xbab', 'x'],
  ['before one inside another that does not come', ['bab', 'a'], 'xbac', 'xb'],
  ['nowhere without a stop in it', ['END'], 'one EN', 'one EN'],
  ['nowhere without stops', [], 'one', 'one'],
  ['nowhere for an empty stop', [''], 'one', 'one'],
])('text ends %s, however it is cut', (_, stops, said, wanted) => {
  for (let size = 1; size <= said.length; size++) {
    const pieces = Array.from({ length: Math.ceil(said.length / size) }, (_piece, n) => [
      text(said.slice(n * size, (n + 1) * size)),
    ])
    expect(cut(stops, pieces).said).toBe(wanted)
  }
})

test('the text that leaves is the text before the earliest stop, for any text', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '\n') })
  fc.assert(
    fc.property(
      fc.array(letters),
      fc.array(
        letters.filter((stop) => stop !== ''),
        { minLength: 1, maxLength: 4 },
      ),
      (pieces, stops) => {
        const whole = pieces.join('')
        const places = stops.map((stop) => whole.indexOf(stop)).filter((at) => at !== -1)
        const wanted = places.length === 0 ? whole : whole.slice(0, Math.min(...places))
        expect(
          cut(
            stops,
            pieces.map((piece) => [text(piece)]),
          ).said,
        ).toBe(wanted)
      },
    ),
    { numRuns: 2_000 },
  )
})

test('what was held leaves before a call, and a stop in its arguments is no stop', () => {
  const start: Event = { type: 'call-start', index: 0, id: 'a', name: 'read' }
  const delta: Event = { type: 'call-delta', index: 0, json: '{"path":"END"}' }
  expect(cut(['END'], [[text('one EN')], [start, delta]]).passed).toEqual([text('one '), text('EN'), start, delta])
})

test('nothing but notes leaves after the stop', () => {
  const note: Event = { type: 'note', kind: 'echo' }
  const after: Event = { type: 'call-start', index: 0, id: 'a', name: 'read' }
  expect(cut(['END'], [[text('END'), after, text('more'), note]])).toMatchObject({ passed: [note], isCut: true })
})
