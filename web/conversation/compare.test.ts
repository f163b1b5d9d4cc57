import { expect, test } from 'vitest'
import type { SentMessage } from '../../src/traces/exchange.ts'
import { type Comparison, comparePrompts } from './compare.ts'

const say = (role: SentMessage['role'], text: string): SentMessage => ({ role, text, segments: [] })
const before = [say('system', 'Be brief.'), say('user', 'Hi')]

test.each<[string, readonly SentMessage[], Partial<Comparison>]>([
  ['the same again', before, { shared: 2, sharedLength: 11, length: 11, added: [] }],
  [
    'it goes on',
    [...before, say('assistant', 'Hello'), say('user', 'Bye')],
    { shared: 2, sharedLength: 11, length: 19, added: [say('assistant', 'Hello'), say('user', 'Bye')] },
  ],
  [
    'its last message grew',
    [before[0] as SentMessage, say('user', 'Hi there')],
    { shared: 1, sharedLength: 11, length: 17 },
  ],
  [
    'the system message changed',
    [say('system', 'Be long.'), say('user', 'Hi')],
    { shared: 0, sharedLength: 3, breaksAt: { message: 0, at: 3 } },
  ],
  ['a message was taken out', [say('system', 'Be brief.')], { shared: 1, breaksAt: { message: 1, at: 0 } }],
  ['nothing is left', [], { shared: 0, sharedLength: 0, length: 0, breaksAt: { message: 0, at: 0 } }],
])('%s', (_what, after, expected) => {
  const comparison = comparePrompts(before, after)
  expect(comparison).toMatchObject(expected)
  if (expected.breaksAt === undefined) expect(comparison).not.toHaveProperty('breaksAt')
})
