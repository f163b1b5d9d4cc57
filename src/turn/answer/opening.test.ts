import { expect, test } from 'vitest'
import type { Event } from '../../protocol/event.ts'
import { createGathered } from './opening.ts'

const text = (words: string): Event => ({ type: 'text-delta', text: words })
const thought = (words: string): Event => ({ type: 'reasoning-delta', text: words })
const json = (index: number, piece: string): Event => ({ type: 'call-delta', index, json: piece })
const remarks = (fields: Record<string, number>): Event => ({ type: 'remarks', fields })
const stop: Event = { type: 'finish', reason: 'stop' }

test.each<[string, Event[], Event[]]>([
  ['pieces of one text are one', [thought('a'), thought('b'), text('c'), text('d')], [thought('ab'), text('cd')]],
  ['what stands between them keeps its place', [text('a'), stop, text('b')], [text('a'), stop, text('b')]],
  [
    'calls stay apart',
    [json(0, '{'), json(0, '}'), json(1, '{'), json(0, ' ')],
    [json(0, '{}'), json(1, '{'), json(0, ' ')],
  ],
  [
    'later remarks wait for the end',
    [remarks({ a: 1 }), text('a'), remarks({ b: 1 }), text('b'), remarks({ b: 2 }), stop],
    [remarks({ a: 1 }), text('ab'), remarks({ b: 2 }), stop],
  ],
])('%s', (_, events, kept) => {
  const gathered = createGathered()
  for (const event of events) gathered.push([event])
  expect(gathered.events()).toEqual(kept)
})
