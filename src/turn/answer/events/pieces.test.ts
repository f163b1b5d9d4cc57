import { expect, test } from 'vitest'
import type { UpstreamEvent } from '../../../upstreams/upstream.ts'
import { joinPieces } from './pieces.ts'

const text = (said: string): UpstreamEvent => ({ type: 'text', text: said })
const thought = (said: string): UpstreamEvent => ({ type: 'reasoning', text: said })
const piece = (index: number, json: string): UpstreamEvent => ({ type: 'call', index, json })
const start = { type: 'call', index: 0, id: 'a', name: 'f', json: '{' } as const

test.each<[string, UpstreamEvent[], UpstreamEvent[]]>([
  ['words are one', [text('a'), text('b'), text('c')], [text('abc')]],
  [
    'words and thoughts stay apart',
    [text('a'), thought('b'), thought('c'), text('d')],
    [text('a'), thought('bc'), text('d')],
  ],
  ['arguments of one call are one', [start, piece(0, '"a"'), piece(0, ':1}')], [start, piece(0, '"a":1}')]],
  [
    'arguments that may be said again stay apart',
    [piece(0, '{"a"'), piece(0, '{"a":1}')],
    [piece(0, '{"a"'), piece(0, '{"a":1}')],
  ],
  ['arguments of two calls stay apart', [piece(0, '1'), piece(1, '2')], [piece(0, '1'), piece(1, '2')]],
  [
    'pieces that do not say whose they are stay apart',
    [
      { type: 'call', json: '{}' },
      { type: 'call', json: '{}' },
    ],
    [
      { type: 'call', json: '{}' },
      { type: 'call', json: '{}' },
    ],
  ],
  [
    'what stands between them stays there',
    [text('a'), { type: 'note', kind: 'echo' }, text('b')],
    [text('a'), { type: 'note', kind: 'echo' }, text('b')],
  ],
])('%s', (_, said, joined) => {
  expect(joinPieces(said)).toEqual(joined)
})
