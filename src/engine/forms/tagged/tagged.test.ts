import { expect, test } from 'vitest'
import { hear } from '../../../../test/engine/hear.ts'
import { tools } from '../../../../test/goldens/read.ts'
import { findDialect } from '../../../dialects/registry.ts'
import type { Tool } from '../../../protocol/tool.ts'
import { createReader } from '../../reader.ts'

const lamp = (inner: string) => `<function=set_lamp>\n${inner}</function>`
const note = (inner: string) => `<function=write_note>\n<parameter=text>${inner}</function>`

test.each([
  ['<parameter=room>den</parameter>\n<parameter=level>3</parameter>', '{"room":"den","level":3}'],
  ['<parameter=room/>', '{"room":""}'],
  ['<parameter=zone/>\n<parameter=room>den</parameter>', '{"zone":"","room":"den"}'],
  ['<parameter=input>{"room": "den"}</parameter>\n<parameter=level>3</parameter>', '{"room": "den","level":3}'],
  ['<parameter=input>{"other": 1}</parameter>', '{"input":{"other": 1}}'],
  ['<parameter=input>den</parameter>', '{"input":"den"}'],
  ['<parameter=input>{"room": "d</parameter>', '{"input":"{\\"room\\": \\"d"}'],
  ['<parameter=room>den</parameter>\n<parameter=input>{"level": 3}</parameter>', '{"room":"den","input":{"level": 3}}'],
  ['<parameter=level><![CDATA[5]]></parameter>', '{"level":5}'],
  ['<parameter=other><![CDATA[5]]></parameter>', '{"other":"5"}'],
  ['<parameter=other>5</parameter>', '{"other":5}'],
  ['<parameter=tags>a</parameter>\n<parameter=tags>b</parameter>', '{"tags":["a","b"]}'],
  ['<parameter=tags>a</parameter>\n<parameter=room>den</parameter>', '{"room":"den","tags":["a"]}'],
  ['<parameter=tags>[\\"a\\"]</parameter>', '{"tags":["a"]}'],
  ['<parameter=tags>[\\"a"]</parameter>', '{"tags":"[\\\\\\"a\\"]"}'],
  ['<parameter=room>[\\"a\\"]</parameter>', '{"room":"[\\\\\\"a\\\\\\"]"}'],
])('%s is %s', (inner, json) => {
  expect(hear('qwen3-coder', `${lamp(inner)}x`)).toMatchObject({ calls: [`set_lamp ${json}`], text: 'x' })
})

test.each([
  ['a</parameter>', 'a'],
  ['\na\n</parameter>', 'a'],
  ['<![CDATA[a </parameter> b]]></parameter>', 'a </parameter> b'],
  ['\n<![CDATA[a]]><![CDATA[b]]>\n</parameter>', 'ab'],
  ['a <![CDATA[b]]></parameter>', 'a <![CDATA[b]]>'],
  ['a </function> b</parameter>', 'a </function> b'],
  ['a </function> b\n<function=x> c</parameter>', 'a </function> b\n<function=x> c'],
  ['a</parameter> b</parameter>', 'a</parameter> b'],
])('the text in %j is %j', (inner, text) => {
  const heard = hear('qwen3-coder', `${note(inner)}x`)
  expect(heard).toMatchObject({ calls: [`write_note ${JSON.stringify({ text })}`], text: 'x' })
})

test.each([
  '<function=set_lamp>\n<parameter=room>den',
  '<function=set_lamp>\n<parameter=room>den</parameter>',
  '<function=set_lamp>\n<parameter=room>den</parameter>\n<para',
  '<function=set_lamp>\n<parameter=room>den</parameter>\n</func',
  '<function=set_lamp>\n<parameter=room><![CDATA[a',
  '<function=set_lamp>\n<parameter=room><![CDATA[a]]>',
  '<function=set_lamp>\n<parameter=level>3',
])('%j, where the length ran out, is no call', (said) => {
  expect(hear('qwen3-coder', said, { ends: 'length' })).toMatchObject({ calls: [], text: said, finish: 'length' })
})

test.each([
  '<function=write_note>\n<parameter=text>abc',
  '<function=set_lamp>\n<parameter=room>den</parameter>\n<parameter=level>3',
])('%j, although it ended well, has half a value: no call, and its text is not closed', (said) => {
  const reader = createReader({ dialect: findDialect('qwen3-coder'), tools, newId: () => 'id' })
  const events = [...reader.push(said), ...reader.end('stop')]
  const json = events.map((event) => (event.type === 'call-delta' ? event.json : '')).join('')
  expect(events.map(({ type }) => type)).not.toContain('call-end')
  expect(json).toMatch(/^\{"text":"abc$|^\{"room":"den"$/)
  expect(hear('qwen3-coder', said)).toMatchObject({ calls: [], text: said, failures: ['cut-off'], finish: 'stop' })
})

test('a value that breaks off in a closing tag is none', () => {
  const said = '<function=write_note>\n<parameter=text>ls</command>'
  expect(hear('qwen3-coder', said)).toMatchObject({ calls: [], text: said })
})

test.each([
  ['<function=set_lamp>\n<parameter=room>den</parameter> words', ['set_lamp {"room":"den"}'], 'words'],
  ['<function=set_lamp> words', [], '<function=set_lamp> words'],
])('words after the last argument end the call: %j', (said, calls, text) => {
  expect(hear('qwen3-coder', said)).toMatchObject({ calls, text })
})

test('what a closed schema forbids is left out, however it is written', () => {
  const parameters = { type: 'object', properties: { room: { type: 'string' } }, additionalProperties: false }
  const tool: Tool = { kind: 'function', name: 'set_lamp', parameters }
  const inner =
    '<parameter=x>1</parameter>\n<parameter=y/>\n<parameter=room>den</parameter>\n<parameter=z>a</parameter>'
  const heard = hear('qwen3-coder', lamp(inner), { tools: [tool] })
  expect(heard.calls).toEqual(['set_lamp {"room":"den"}'])
  expect(heard.notes).toEqual(['member_dropped x', 'member_dropped y', 'member_dropped z'])
  expect(hear('qwen3-coder', lamp('<parameter=x>1</parameter>'), { tools: [tool] }).calls).toEqual(['set_lamp {}'])
})
