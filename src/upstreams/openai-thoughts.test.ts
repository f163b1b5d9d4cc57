import { expect, test } from 'vitest'
import { createThoughts } from './openai-thoughts.ts'

test('what was thought before calls is known by each of their ids, once the answer is over', () => {
  const thoughts = createThoughts()
  const heard = thoughts.listen()
  heard.hear([{ type: 'reasoning', text: 'Look ' }])
  heard.hear([
    { type: 'reasoning', text: 'first.' },
    { type: 'call', id: 'a', name: 'read' },
    { type: 'call', id: 'b', name: 'read' },
  ])
  expect(thoughts.recall('a')).toBeUndefined()
  heard.end()
  expect([thoughts.recall('a'), thoughts.recall('b')]).toEqual(['Look first.', 'Look first.'])
})

test('the oldest are forgotten first', () => {
  const thoughts = createThoughts()
  for (let i = 0; i <= 2_000; i++) {
    const heard = thoughts.listen()
    heard.hear([
      { type: 'reasoning', text: `${i}` },
      { type: 'call', id: `call_${i}` },
    ])
    heard.end()
  }
  expect([thoughts.recall('call_0'), thoughts.recall('call_1'), thoughts.recall('call_2000')]).toEqual([
    undefined,
    '1',
    '2000',
  ])
})
