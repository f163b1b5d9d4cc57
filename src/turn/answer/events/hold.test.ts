import { expect, test } from 'vitest'
import type { Event } from '../../../protocol/event.ts'
import { createHold } from './hold.ts'

const start = (index: number, name: string): Event => ({ type: 'call-start', index, id: `id${index}`, name })
const delta = (index: number, json: string): Event => ({ type: 'call-delta', index, json })
const end = (index: number): Event => ({ type: 'call-end', index })

test('a call that has to be whole leaves at its end, in one piece', () => {
  const hold = createHold(
    (name) => name === 'write',
    (_, json) => json,
  )
  expect(hold.push([start(0, 'write'), delta(0, '{"a"')])).toEqual([])
  expect(hold.push([delta(0, ':1}'), end(0)])).toEqual([start(0, 'write'), delta(0, '{"a":1}'), end(0)])
})

test('other calls and text pass while one is held', () => {
  const hold = createHold(
    (name) => name === 'write',
    (_, json) => json,
  )
  const events: Event[] = [start(1, 'read'), { type: 'text-delta', text: 'x' }, delta(1, '{}'), end(1)]
  expect(hold.push([start(0, 'write'), ...events])).toEqual(events)
})

test('the arguments that leave may differ from those that were read', () => {
  const hold = createHold(
    () => true,
    (name, json) => `${name}:${json}`,
  )
  expect(hold.push([start(0, 'a'), delta(0, '1'), end(0)])[1]).toEqual(delta(0, 'a:1'))
})

test('a held call that never completes leaves as the text it was', () => {
  const hold = createHold(
    () => true,
    (_, json) => json,
  )
  hold.push([start(0, 'a'), delta(0, '{"b')])
  expect(hold.push([{ type: 'call-error', index: 0, raw: '<a>{"b', reason: 'cut-off' }])).toEqual([
    { type: 'text-delta', text: '<a>{"b' },
    { type: 'note', kind: 'call_unfinished', detail: 'cut-off' },
  ])
})
