import { describe, expect, test } from 'vitest'
import { compileSchema } from './compile.ts'
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
const open = compileSchema({ type: 'object' })
const anything = compileSchema({ type: 'array' })
const texts = compileSchema({ type: 'array', items: { type: 'string' } })
const matrix = compileSchema({ type: 'object', properties: { row: { type: 'array', items: { type: 'array' } } } })
const number = compileSchema({ type: 'number' })
const task = { type: 'object', properties: { task: { type: 'string' }, isDone: { type: 'boolean' } } }
const tasks = compileSchema({ type: 'array', items: task })
const plan = compileSchema({ type: 'object', properties: { task: { type: 'array', items: task } } })

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
  // Attributes, empty elements, space in closers.
  ['<item kind="n"> 1 </item><item a="x > y" b = \'>\' >2</item>', list, '[1,2]'],
  ['<item kind>1</item>', list, undefined],
  ['<item/><item kind="a" /><item>b</item>', texts, '["","","b"]'],
  ['<name/><tags/><inner/><size/>', object, '{"name":"","tags":[],"inner":{},"size":""}'],
  ['<item>1</ item><item>2</item\n><item>3</\n  item>', list, '[1,2,3]'],
  // Elements named by their place.
  ['\n <0>1</0>\n <1>2</1>\n', list, '[1,2]'],
  ['<0>1</0><2>2</2>', list, undefined],
  ['<1>1</1><2>2</2>', list, undefined],
  ['<0>1</0><1>2</1>', open, '{"0":1,"1":2}'],
  ['<0>a</0><2>b</2>', open, '{"0":"a","2":"b"}'],
  ['<0>1</0><1>2</1>', either, '[1,2]'],
  // What the schema says nothing about.
  ['<a>\n <b>\n  <c>true</c> <d> x y </d>\n </b>\n</a>', open, '{"a":{"b":{"c":true,"d":" x y "}}}'],
  ['<other><a>1</a></other>', object, '{"other":{"a":1}}'],
  ['<a><item>1</item><item>x</item></a>', open, '{"a":[1,"x"]}'],
  ['<a>see <b>this</b></a>', open, '{"a":"see <b>this</b>"}'],
  ['<a><b>this</a>', open, '{"a":"<b>this"}'],
  ['<a>1</a><a>2</a>', open, '{"a":2}'],
  ['<user><name>A</name></user>', anything, '[{"user":{"name":"A"}}]'],
  ['<user><name>A</name></user><user>B</user>', anything, '[{"user":{"name":"A"}},"B"]'],
  ['<item><name>A</name></item>', anything, '[{"name":"A"}]'],
  ['<0><name>A</name></0>', anything, '[{"name":"A"}]'],
  ['<a>1</a><b>2</b>', anything, '[{"a":1,"b":2}]'],
  // The members of an array's only item, in no element of their own.
  ['<task>a</task><isDone>true</isDone>', tasks, '[{"task":"a","isDone":true}]'],
  ['<task>a</task>', tasks, '[{"task":"a"}]'],
  ['<task><task>a</task><isDone>true</isDone></task>', tasks, '[{"task":"a","isDone":true}]'],
  ['<todo><task>a</task></todo><todo><task>b</task></todo>', tasks, '[{"task":"a"},{"task":"b"}]'],
  // Arrays as members.
  ['<tags><tag>a</tag><tag>b</tag></tags>', object, '{"tags":["a","b"]}'],
  [
    '<tags><item>a</item></tags><tags>["b", "c"]</tags><tags>[]</tags><tags>d</tags>',
    object,
    '{"tags":["a","b", "c","d"]}',
  ],
  ['<tags>[a</tags>', object, '{"tags":["[a"]}'],
  ['<row>[1]</row><row>[2, 3]</row>', matrix, '{"row":[[1],[2, 3]]}'],
  ['<row>[[1], [2, 3]]</row>', matrix, '{"row":[[1], [2, 3]]}'],
  // One element of no meaning around a number or boolean.
  ['\n <item>42</item>\n', number, '42'],
  ['<value> 0.8 </value>', number, '0.8'],
  ['<value>true</value>', compileSchema({ type: 'boolean' }), 'true'],
  ['<value>many</value>', number, undefined],
  ['<value>1</value><value>2</value>', number, undefined],
  ['<size>1</size>', number, undefined],
  ['<value>1</value>', compileSchema({ type: ['number', 'string'] }), undefined],
  // Forgotten closers of declared members.
  ['<name>a<size>2</size>', object, '{"name":"a","size":2}'],
  ['<size>2</size>\n<name>a b\n', object, '{"size":2,"name":"a b"}'],
  ['<name>a <b>c</b>\n  <size>2', object, '{"name":"a <b>c</b>","size":2}'],
  ['<inner><on>true</on><name>a</name>', object, '{"inner":{"on":true},"name":"a"}'],
  ['<inner><on>true<name>a</name>', object, '{"inner":{"on":true},"name":"a"}'],
  [
    '<task><task>a</task><isDone>true</isDone><task><task>b</task></task>',
    plan,
    '{"task":[{"task":"a","isDone":true},{"task":"b"}]}',
  ],
  ['<name>a</nam><size>2</size>', object, undefined],
  ['<name>a', compileSchema({ type: ['object', 'string'], properties: { name: true } }), undefined],
  // CDATA is text, and hides tags.
  ['<name><![CDATA[a </name> b]]></name><size>2</size>', object, '{"name":"a </name> b","size":2}'],
  ['<other>\n<![CDATA[5]]>\n</other>', object, '{"other":"5"}'],
  ['<tags><![CDATA[a, <b>]]></tags><size><![CDATA[5]]></size>', object, '{"tags":["a, <b>"],"size":5}'],
  ['<name><![CDATA[a]]]]><![CDATA[>]]></name>', object, '{"name":"a]]>"}'],
  ['<name>a <![CDATA[ b</name>', object, '{"name":"a <![CDATA[ b"}'],
])('%s', (text, node, json) => {
  expect(readElements(text, node)).toBe(json)
})

describe('a megabyte', () => {
  const size = 1 << 20
  const rule = { type: 'object', properties: { a: { type: 'array', items: { $ref: '#' } }, n: { type: 'number' } } }
  const deep = compileSchema(rule)
  test.each([
    ['of nested elements', '<a>'.repeat(size / 7) + '</a>'.repeat(size / 7)],
    ['of openers', '<a>'.repeat(size / 3)],
    ['of openers of many names', Array.from({ length: size / 8 }, (_, index) => `<a${index}>`).join('')],
    ['of closers', `<a>${'</b>'.repeat(size / 4)}`],
    ['of closers in an element', `<a>${'</b>'.repeat(size / 4)}</a>`],
    ['of siblings', '<a>1</a>'.repeat(size / 8)],
    ['of items', `<a>${'<item/>'.repeat(size / 7)}</a><a></a>`],
    ['of siblings without closers', '<n>1'.repeat(size / 4)],
    ['of pairs without closers', '<a><n>1'.repeat(size / 7)],
    ['of crossed elements', '<a><n></a></n>'.repeat(size / 14)],
    ['of attributes', `<a${' b="c"'.repeat(size / 6)}`],
    ['of quotes', `<a b="${'" b="'.repeat(size / 5)}`],
    ['of tags that do not end', '<a b="'.repeat(size / 6)],
    ['of spaces', `<a>${' '.repeat(size)}<`],
    ['of spaces in a tag', `<a${' '.repeat(size)}<`],
    ['of spaces in a closer', `</${' '.repeat(size)}`],
    ['of spaces between tags', `<a>${`</a>${' '.repeat(1000)}`.repeat(size / 1000)}`],
    ['of CDATA', `<a>${'<![CDATA['.repeat(size / 9)}`],
  ])('%s is read in a moment', (_name, text) => {
    const start = process.cpuUsage()
    for (const node of [deep, open, anything, either]) readElements(text, node)
    const { user, system } = process.cpuUsage(start)
    // Work of this process, not the time on the wall: linear takes well under a second, quadratic would take minutes.
    expect(user + system).toBeLessThan(5_000_000)
  })
})
