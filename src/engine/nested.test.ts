import { expect, test } from 'vitest'
import { compileSchema } from '../schema/compile.ts'
import { readElements } from './nested.ts'

const list = compileSchema({ type: 'array', items: { type: 'integer' } })
const object = compileSchema({
  type: 'object',
  properties: {
    name: { type: 'string' },
    size: { type: 'number' },
    tags: { type: 'array', items: { type: 'string' } },
    inner: { type: 'object', properties: { on: { type: 'boolean' } } },
  },
})
const either = compileSchema({ type: ['array', 'object'] })

test.each([
  ['<item>1</item><item>2</item>', list, '[1,2]'],
  ['\n <item>1</item>\n <item>\n2\n</item>\n', list, '[1,2]'],
  ['<n>1</n><n>2</n>', list, '[1,2]'],
  ['<n>1</n><m>2</m>', list, undefined],
  ['<name>1</name><size>2</size>', object, '{"name":"1","size":2}'],
  ['<tags>a</tags><tags>b</tags>', object, '{"tags":["a","b"]}'],
  ['<tags>a</tags>', object, '{"tags":["a"]}'],
  ['<tags><item>a</item></tags>', object, '{"tags":["a"]}'],
  ['<tags>["a", "b"]</tags>', object, '{"tags":["a", "b"]}'],
  ['<inner><on>true</on></inner>', object, '{"inner":{"on":true}}'],
  ['<name>a</name><name>b</name>', object, '{"name":"b"}'],
  ['<name><name>a</name></name>', object, '{"name":"<name>a</name>"}'],
  ['<item>1</item>', either, '[1]'],
  ['<a>1</a>', either, '{"a":1}'],
  ['<a>1</a> words', object, undefined],
  ['words', object, undefined],
  ['', list, undefined],
  ['<a>1', object, undefined],
  ['<a>1</b>', object, undefined],
  ['<a>1</a>', compileSchema({ type: 'string' }), undefined],
  ['<a>1</a>', compileSchema(undefined), undefined],
])('%s', (text, node, json) => {
  expect(readElements(text, node)).toBe(json)
})
