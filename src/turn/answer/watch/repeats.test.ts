import { expect, test } from 'vitest'
import type { Event } from '../../../protocol/event.ts'
import { createRepeatedCalls } from './repeats.ts'

const callOf = (index: number, name: string, json: string): readonly Event[] => [
  { type: 'call-start', index, id: `call_${index}`, name },
  { type: 'call-delta', index, json: json.slice(0, 3) },
  { type: 'call-delta', index, json: json.slice(3) },
  { type: 'call-end', index },
]

function passed(isForced: boolean, calls: readonly (readonly [string, string])[]) {
  const stage = createRepeatedCalls(isForced)
  const events = calls.flatMap(([name, json], index) =>
    callOf(index, name, json).flatMap((event) => stage.push([event])),
  )
  events.push(...(stage.end?.() ?? []))
  const made = events.flatMap((event) => (event.type === 'call-end' ? [event.index] : []))
  return { made, isCut: stage.isCut, notes: events.flatMap((event) => (event.type === 'note' ? [event.kind] : [])) }
}

const a = ['read', '{"path": "a"}'] as const
const b = ['read', '{"path": "b"}'] as const

test.each([
  [
    'the same call again ends the answer',
    true,
    [a, ['read', '{"path":"a"}'], b],
    { made: [0], isCut: true, notes: ['call_repeated'] },
  ],
  ['by turns, too', true, [a, b, a, b], { made: [0, 1], isCut: true }],
  [
    'other arguments are another call',
    true,
    [a, b, ['read', '{"path": "c"}']],
    { made: [0, 1, 2], isCut: false, notes: [] },
  ],
  ['so is another tool', true, [a, ['stat', '{"path": "a"}']], { made: [0, 1], isCut: false }],
  ['an answer that need not call may', false, [a, a], { made: [0, 1], isCut: false }],
] as const)('%s', (_, isForced, calls, expected) => {
  expect(passed(isForced, calls)).toMatchObject(expected)
})

test('the first call leaves as it is written, the next ones when they are whole', () => {
  const stage = createRepeatedCalls(true)
  expect(callOf(0, ...a).map((event) => stage.push([event]).length)).toEqual([1, 1, 1, 1])
  expect(callOf(1, ...b).map((event) => stage.push([event]).length)).toEqual([0, 0, 0, 4])
})

test('a call that is not whole when the answer ends is not lost', () => {
  const stage = createRepeatedCalls(true)
  stage.push(callOf(0, ...a))
  const begun = callOf(1, ...b).slice(0, 2)
  expect([...stage.push(begun), ...(stage.end?.() ?? [])]).toEqual(begun)
})

test('calls that arrive side by side are told apart', () => {
  const stage = createRepeatedCalls(true)
  const [one, two, again] = [callOf(0, ...a), callOf(1, ...b), callOf(2, ...a)]
  const mixed = [0, 1, 2, 3].flatMap((place) => [one, two, again].flatMap((call) => call[place] ?? []))
  const passed = [...mixed.flatMap((event) => stage.push([event])), ...(stage.end?.() ?? [])]
  expect(passed.flatMap((event) => (event.type === 'call-end' ? [event.index] : []))).toEqual([0, 1])
  expect(stage.isCut).toBe(true)
})
