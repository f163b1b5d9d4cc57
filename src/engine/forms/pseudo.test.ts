import { expect, test } from 'vitest'
import { collect, schemaOf } from '../../../test/engine/collect.ts'
import { hear } from '../../../test/engine/hear.ts'
import { peek } from '../text/literals.ts'
import { readPseudo } from './pseudo.ts'

const node = schemaOf({ room: { type: 'string' }, level: { type: 'integer' }, any: {}, list: { type: 'array' } })
const read = (text: string) =>
  collect(text, function* (source, pen) {
    yield* peek(source)
    return yield* readPseudo(source, '<q>', node, pen, ['</c>'])
  })

test.each([
  ['{}', '{'],
  ['{room:<q>den<q>,level:3}', '{"room":"den","level":3'],
  ['{ room : <q>a "b" {c}\n\\d<q> , level : 3 , }', '{"room":"a \\"b\\" {c}\\n\\\\d","level":3'],
  ['{level:<q>3<q>}', '{"level":3'],
  ['{room:3}', '{"room":"3"'],
  ['{room:the den}', '{"room":"the den"'],
  ['{room:a < b}', '{"room":"a < b"'],
  ['{any:{a:[1,<q>b<q>,true,null],b:{}},list:[]}', '{"any":{"a":[1,"b",true,null],"b":{}},"list":[]'],
  ['{room:"d\\"en",any:\'x\'}', '{"room":"d\\"en","any":"x"'],
  ['{<q>room<q>:<q>den<q>,"level":1}', '{"room":"den","level":1'],
  ['{<q><q>:1}', '{"":1'],
  ['{"":1}', '{"":1'],
  ['{"ro\\u006fm":<q>den<q>}', '{"room":"den"'],
])('%s is %s', (text, json) => {
  expect(read(`${text}!`)).toMatchObject({ json, result: 'complete', rest: '!' })
})

test.each([
  ['{', 'cut'],
  ['{room', 'cut'],
  ['{room:', 'cut'],
  ['{room:<q>den', 'cut'],
  ['{level:<q>3', 'cut'],
  ['{room:"den', 'cut'],
  ['{level:3', 'cut'],
  ['{"room', 'cut'],
  ['{:1}', 'stuck'],
  ['{room}', 'stuck'],
  [`{any:${'['.repeat(200)}`, 'stuck'],
])('%s is %s', (text, result) => {
  expect(read(text).result).toBe(result)
})

test.each([
  ['levels', (count: number) => `{any:${'['.repeat(count)}${']'.repeat(count)}}`, 100],
  ['characters of a bare key', (count: number) => `{${'a'.repeat(count)}:1}`, 257],
])('%s are read up to a number', (_, make, most) => {
  expect([read(make(most)).result, read(make(most + 1)).result]).toEqual(['complete', 'stuck'])
})

test.each([
  ['{room:<q>den', '{"room":"den'],
  ['{level:<q>3', '{"level":'],
  ['{level:3', '{"level":'],
  ['{room:"den', '{"room":'],
  ['{any:[1,<q>b', '{"any":[1,"b'],
])('%s is cut; until then it says %s', (text, json) => {
  expect(read(text)).toMatchObject({ json, result: 'cut', notes: [] })
})

test('a string may quote a call with strings of its own', () => {
  const text = 'do <|tool_call>call:write_note{text:<|"|>b<|"|>}<tool_call|> so'
  const heard = hear('gemma4', `<|tool_call>call:write_note{text:<|"|>${text}<|"|>}<tool_call|>`)
  expect(heard).toMatchObject({ calls: [`write_note ${JSON.stringify({ text })}`], text: '', notes: [] })
})
