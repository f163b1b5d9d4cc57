import { expect, test } from 'vitest'
import type { Event } from '../../../protocol/event.ts'
import { createHold } from './hold.ts'

const start = (index: number, name: string): Event => ({ type: 'call-start', index, id: `id${index}`, name })
const delta = (index: number, json: string): Event => ({ type: 'call-delta', index, json })
const end = (index: number): Event => ({ type: 'call-end', index })

test('a call that has to be whole leaves at its end, in one piece', () => {
  const hold = createHold((name) => name === 'write')
  expect(hold.push([start(0, 'write'), delta(0, '{"a"')])).toEqual([])
  expect(hold.push([delta(0, ':1}'), end(0)])).toEqual([start(0, 'write'), delta(0, '{"a":1}'), end(0)])
})

test('text passes while a call is held, and calls leave in their order', () => {
  const hold = createHold((name) => name === 'write')
  const text: Event = { type: 'text-delta', text: 'x' }
  expect(hold.push([start(0, 'write'), text, start(1, 'read'), delta(1, '{}')])).toEqual([text])
  const first = [start(0, 'write'), delta(0, '{}'), end(0)]
  const second = [start(1, 'read'), delta(1, '{}'), end(1)]
  expect(hold.push([delta(0, '{}'), end(0), end(1)])).toEqual([...first, ...second])
})

test('a held call that never completes leaves as the text it was', () => {
  const hold = createHold(() => true)
  hold.push([start(0, 'a'), delta(0, '{"b')])
  expect(hold.push([{ type: 'call-error', index: 0, raw: '<a>{"b', reason: 'cut-off' }])).toEqual([
    { type: 'text-delta', text: '<a>{"b' },
    { type: 'note', kind: 'call_unfinished', detail: 'cut-off' },
  ])
})
