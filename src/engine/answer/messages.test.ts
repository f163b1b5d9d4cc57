import { expect, test } from 'vitest'
import { collect } from '../../../test/engine/collect.ts'
import type { Frame } from '../../dialects/dialect.ts'
import { classify, readHeader } from './messages.ts'

const frame: Frame = {
  open: ['<|start|>'],
  body: ['<|message|>', '<|code|>'],
  close: ['<|end|>'],
  call: /^to=(\w+)<\|\w+\|>$/,
  thought: /^analysis<\|message\|>$/,
  text: /^final<\|message\|>$/,
}

test.each([
  ['to=ping<|message|>{}', { kind: 'call', name: 'ping' }, '{}'],
  ['to=ping<|code|>{}', { kind: 'call', name: 'ping' }, '{}'],
  ['analysis<|message|>hm', { kind: 'thought' }, 'hm'],
  ['final<|message|>', { kind: 'text' }, ''],
  ['other<|message|>x', undefined, 'x'],
  ['final<|mess', undefined, ''],
  ['', undefined, ''],
])('the header of %s', (text, header, rest) => {
  expect(collect(text, (source) => readHeader(source, frame))).toMatchObject({ result: header, rest })
})

test('a call without a name is one all the same', () => {
  expect(classify({ ...frame, call: /^tools/ }, 'tools<|message|>')).toMatchObject({ kind: 'call', name: undefined })
})

test.each([
  [256, 'call'],
  [257, undefined],
])('a header of %i characters: %s', (length, kind) => {
  const name = 'a'.repeat(length - 3)
  expect(collect(`to=${name}<|code|>`, (source) => readHeader(source, frame)).result?.kind).toBe(kind)
})

test('the end of a text that is far too long for a header is none', () => {
  expect(collect(`${'a'.repeat(257)}final<|message|>`, (source) => readHeader(source, frame)).result).toBeUndefined()
})

test.each([
  ['to=ping<|message|>', { kind: 'call', name: 'ping', isSure: true }],
  ['to=tools.ping<|message|>', { kind: 'call', name: 'tools.ping', isSure: false }],
  ['to nobody<|message|>', undefined],
])('%s says who is called, and how surely', (header, expected) => {
  expect(classify({ ...frame, knownCall: /^to=([\w.]+)/ }, header)).toEqual(expected)
})
