import { expect, test } from 'vitest'
import { findDialect } from '../dialects/registry.ts'
import type { Tool } from '../protocol/tool.ts'
import { type PrintedCall, printCalls, printResults } from './print.ts'

const tools: readonly Tool[] = [
  { kind: 'function', name: 'set', parameters: { type: 'object', properties: { text: { type: 'string' }, n: {} } } },
]
const calls: readonly PrintedCall[] = [
  { id: 'call_1', name: 'set', arguments: '{"text": "a \\"b\\"", "n": [1.0, null, {"x": true}]}' },
  { id: 'call_2', name: 'ping', arguments: '{}' },
]

function dialectOf(name: string) {
  const dialect = findDialect(name)
  if (dialect === undefined) throw new Error(name)
  return dialect
}

test.each([
  [
    'hermes',
    '<tool_call>\n{"name": "set", "arguments": {"text": "a \\"b\\"", "n": [1.0, null, {"x": true}]}}\n</tool_call>\n<tool_call>\n{"name": "ping", "arguments": {}}\n</tool_call>',
  ],
  [
    'openai-wrapper',
    '{"tool_calls": [{"name": "set", "arguments": {"text": "a \\"b\\"", "n": [1.0, null, {"x": true}]}}, {"name": "ping", "arguments": {}}]}',
  ],
  [
    'apertus',
    '<|tools_prefix|>[{"set": {"text": "a \\"b\\"", "n": [1.0, null, {"x": true}]}}, {"ping": {}}]<|tools_suffix|>',
  ],
  ['pythonic', '[set(text="a \\"b\\"", n=[1.0, None, {"x": True}]), ping()]'],
  [
    'gemma4',
    '<|tool_call>call:set{text:<|"|>a "b"<|"|>,n:[1.0,null,{x:true}]}<tool_call|><|tool_call>call:ping{}<tool_call|>',
  ],
  [
    'qwen3-coder',
    '<tool_call>\n<function=set>\n<parameter=text>\na "b"\n</parameter>\n<parameter=n>\n[1.0, null, {"x": true}]\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=ping>\n</function>\n</tool_call>',
  ],
  [
    'kimi-k2',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.set:5<|tool_call_argument_begin|>{"text": "a \\"b\\"", "n": [1.0, null, {"x": true}]}<|tool_call_end|><|tool_call_begin|>functions.ping:6<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
  ],
  ['yaml-xml', '<set>\n"text": "a \\"b\\""\n"n": [1.0, null, {"x": true}]\n</set>\n\n<ping>\n</ping>'],
])('%s', (name, text) => {
  expect(printCalls(dialectOf(name), calls, tools, 5)).toBe(text)
})

test.each([
  ['a </parameter> b', '<![CDATA[a </parameter> b]]>'],
  ['a ]]> </function>', '<![CDATA[a ]]]]><![CDATA[> </function>]]>'],
  ['\r', '<![CDATA[\r]]>'],
  ['a < b && c', 'a < b && c'],
])('a text with the marks of its own dialect is quoted: %j', (text, printed) => {
  const call = { id: 'c', name: 'set', arguments: JSON.stringify({ text }) }
  expect(printCalls(dialectOf('qwen3-coder'), [call], tools)).toContain(`<parameter=text>\n${printed}\n</parameter>`)
})

test('a text that holds the mark around texts is printed in ordinary quotes', () => {
  const call = { id: 'c', name: 'set', arguments: '{"text": "a <|\\"|> b"}' }
  expect(printCalls(dialectOf('gemma4'), [call], tools)).toContain('{text:"a <|\\"|> b"}')
})

test('keys that are no names make one dict', () => {
  const call = { id: 'c', name: 'set', arguments: '{"a b": 1, "c": "d"}' }
  expect(printCalls(dialectOf('pythonic'), [call])).toBe('[set({"a b": 1, "c": "d"})]')
})

test('results are printed as the dialect shows them', () => {
  const results = [
    { id: 'call_1', name: 'set', content: 'ok', ordinal: 3 },
    { id: 'call_2', name: 'ping', content: '', ordinal: 4 },
  ]
  expect(printResults(dialectOf('hermes'), results)).toBe(
    '<tool_response>\nok\n</tool_response>\n<tool_response>\n\n</tool_response>',
  )
  expect(printResults(dialectOf('kimi-k2'), results)).toBe(
    '## Return of functions.set:3\nok\n## Return of functions.ping:4\n',
  )
})

function printed(dialect: string, json: string): string {
  return printCalls(dialectOf(dialect), [{ id: 'c', name: 'set', arguments: json }], tools)
}

test.each([
  ['xml-toolname', '{"text": "a & <b>"}', '<text>a &amp; &lt;b></text>'],
  ['xml-toolname', '{"text": "a\\nb"}', '<text>\na\nb\n</text>'],
  ['xml-toolname', '{"text": "a"}', '<text>a</text>'],
  ['qwen3-coder', '{"text": "<![CDATA["}', '<![CDATA[<![CDATA[]]>'],
  ['qwen3-coder', '{"text": "</b> <n> c"}', '\n</b> <n> c\n'],
  ['qwen3-coder', '{"text": "</b><i>"}', '<parameter=text>\n</b><i>\n</parameter>'],
  ['qwen3-coder', '{"n": "5"}', '<parameter=n>\n"5"\n</parameter>'],
  ['qwen3-coder', '{"n": "five"}', '<parameter=n>\nfive\n</parameter>'],
  ['qwen3-coder', '{"text": "5"}', '<parameter=text>\n5\n</parameter>'],
  ['deepseek-dsml-v3.2', '{"text": "a"}', 'name="text" string="true">a<'],
  ['deepseek-dsml-v3.2', '{"n": 5}', 'name="n" string="false">5<'],
  ['kimi-k3', '{"n": null}', 'key="n" type="null"'],
  ['kimi-k3', '{"n": []}', 'key="n" type="array"'],
  ['kimi-k3', '{"n": {}}', 'key="n" type="object"'],
  ['kimi-k3', '{"n": 1}', 'key="n" type="number"'],
  ['yaml-xml', '{"text": "<b"}', '"text": "\\u003cb"'],
  ['pythonic', '{"a": false, "b": true, "c": null, "d": [ ]}', 'a=False, b=True, c=None, d=[]'],
  ['pythonic', ' { "n" : [ 1 , [ 2 ] ] } ', 'n=[1, [2]]'],
  ['pythonic', '{"a":1,"b":[2,3],"c":{"d":4,"e":5}}', 'a=1, b=[2, 3], c={"d": 4, "e": 5}'],
  ['pythonic', '{"text": "a\\/b \\u00e9"}', 'text="a/b é"'],
  ['kimi-k2', '{}', 'functions.set:0<'],
  ['gemma4', '{"a b": [ "x" , {"c": 1.0} ]}', '{<|"|>a b<|"|>:[<|"|>x<|"|>,{c:1.0}]}'],
  ['toolify-xml', '{"text": "a ]]> b"}', '<![CDATA[{"text": "a ]]\\u003e b"}]]>'],
])('%s prints %s as %s', (dialect, json, text) => {
  expect(printed(dialect, json)).toContain(text)
})

test('a result without its place is that of the first call', () => {
  expect(printResults(dialectOf('kimi-k2'), [{ id: 'call_1', name: 'set', content: 'ok' }])).toContain(
    'functions.set:0',
  )
})

test('where calls are read bare they are printed bare', () => {
  expect(printed('llama3-json', '{}')).toBe('{"name": "set", "parameters": {}}')
})
