import { expect, test } from 'vitest'
import type { Event } from '../../../protocol/event.ts'
import { createOrder } from './order.ts'

const start = (index: number): Event => ({ type: 'call-start', index, id: `call_${index}`, name: 'ping' })
const more = (index: number, json: string): Event => ({ type: 'call-delta', index, json })
const end = (index: number): Event => ({ type: 'call-end', index })
const failed = (index: number): Event => ({ type: 'call-error', index, raw: '{', reason: 'cut-off' })
const text = (words: string): Event => ({ type: 'text-delta', text: words })
const note: Event = { type: 'note', kind: 'id_added', index: 1 }
const finish: Event = { type: 'finish', reason: 'tool_calls' }

test.each<[string, readonly Event[], readonly Event[]]>([
  [
    'calls that come one by one stay as they are',
    [start(0), end(0), start(1), end(1)],
    [start(0), end(0), start(1), end(1)],
  ],
  [
    'a call that is written beside another comes after it',
    [start(0), start(1), more(1, '{}'), more(0, '{}'), end(0), end(1), finish],
    [start(0), more(0, '{}'), end(0), start(1), more(1, '{}'), end(1), finish],
  ],
  [
    'three at once keep their order',
    [start(0), start(1), start(2), end(2), end(1), end(0)],
    [start(0), end(0), start(1), end(1), start(2), end(2)],
  ],
  ['words wait for the end of a call', [start(0), text('so'), end(0)], [start(0), end(0), text('so')]],
  ['a call that fails is over, too', [start(0), text('so'), failed(0)], [start(0), failed(0), text('so')]],
  ['notes wait for nothing', [start(0), note, end(0)], [start(0), note, end(0)]],
])('%s', (_, said, told) => {
  const whole = createOrder().push(said)
  expect(whole).toEqual(told)
  const order = createOrder()
  expect(said.flatMap((event) => order.push([event]))).toEqual(told)
})
