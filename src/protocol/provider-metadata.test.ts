import { expect, test } from 'vitest'
import {
  joinMetadata,
  type ProviderMetadata,
  readCallMetadata,
  readMessageMetadata,
  withMetadata,
} from './provider-metadata.ts'

const text = (words: string, more: object = {}) => ({ type: 'reasoning.text', index: 0, text: words, ...more })

test.each<[string, ProviderMetadata[], ProviderMetadata]>([
  [
    'pieces of one thought are one, with the signature that came last',
    [
      { reasoning_details: [text('Let ', { signature: null, format: 'a' })] },
      { reasoning_details: [text('me see.')] },
      { reasoning_details: [text('', { signature: 'sig' })] },
    ],
    { reasoning_details: [text('Let me see.', { signature: 'sig', format: 'a' })] },
  ],
  [
    'thoughts of other kinds and places stay apart',
    [
      { reasoning_details: [text('a'), { type: 'reasoning.encrypted', index: 1, data: 'x' }] },
      { reasoning_details: [text('b', { index: 2 })] },
    ],
    {
      reasoning_details: [text('a'), { type: 'reasoning.encrypted', index: 1, data: 'x' }, text('b', { index: 2 })],
    },
  ],
  [
    'blocks without places end with their signature',
    [
      { thinking_blocks: [{ type: 'thinking', thinking: 'a' }] },
      { thinking_blocks: [{ type: 'thinking', thinking: 'b', signature: 's' }] },
      { thinking_blocks: [{ type: 'thinking', thinking: 'c' }] },
    ],
    {
      thinking_blocks: [
        { type: 'thinking', thinking: 'ab', signature: 's' },
        { type: 'thinking', thinking: 'c' },
      ],
    },
  ],
  ['the later word counts', [{ reasoning_opaque: 'a' }, { reasoning_opaque: 'b' }], { reasoning_opaque: 'b' }],
])('%s', (_, pieces, whole) => {
  const [first, ...rest] = pieces
  expect(rest.reduce<ProviderMetadata | undefined>(joinMetadata, first)).toEqual(whole)
})

test('what is kept of a call goes back to where it stood', () => {
  const call = {
    id: 'a',
    type: 'function',
    function: { name: 'f', arguments: '{}', thought_signature: 'inner' },
    extra_content: { google: { thought_signature: 'outer' } },
  }
  const kept = readCallMetadata(call)
  const bare = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }
  expect(withMetadata(bare, kept)).toEqual(call)
  expect(readCallMetadata(bare)).toBeUndefined()
})

test('nothing else is kept, and nothing empty', () => {
  expect(readMessageMetadata({ content: 'x', reasoning_details: null, reasoning_opaque: '', other: 1 })).toBeUndefined()
})
