import { expect, test } from 'vitest'
import { collect, schemaOf } from '../../../test/engine/collect.ts'
import { ANY } from '../../schema/compile.ts'
import { run } from '../text/running.ts'
import { Source } from '../text/source.ts'
import { readKeywords } from './pythonic.ts'

const node = schemaOf({ room: { type: 'string' }, level: { type: 'integer' }, any: {}, list: { type: 'array' } })
const closed = schemaOf({ room: { type: 'string' } }, true)

test.each([
  [')', '{'],
  ['room="den", level=3)', '{"room": "den", "level": 3'],
  ['room = "den" , level = -3 ,)', '{"room": "den", "level": -3'],
  ['"den", 3)', '{"room": "den", "level": 3'],
  ['level="3", room=5)', '{"level": 3, "room": "5"'],
  ['{"room": "den", \'level\': 3})', '{"room":"den","level":3'],
  ['{})', '{'],
  ['any=[1, (2, 3), {"a": None}, [], {}, ()])', '{"any": [1,[2,3],{"a":null},[],{},[]]'],
  ['any={1, 2})', '{"any": [1,2]'],
  ["any={'a'})", '{"any": ["a"]'],
  ['any={1: "a", True: 2})', '{"any": {"1":"a","true":2}'],
  ['any=True, list=[false, null])', '{"any": true, "list": [false,null]'],
  ['from="a", class_=1)', '{"from": "a", "class_": 1'],
  ['any=007.50)', '{"any": 7.50'],
  ['any=1_000, list=[1_0])', '{"any": 1000, "list": [10]'],
  ['any=(1), list=("a" "b",))', '{"any": 1, "list": ["ab"]'],
  ['\n  # which\n  room="den",  # "this one"\n  any=[1, # "a]\n  2])', '{"room": "den", "any": [1,2]'],
  ['{"Room": "den"}, level=3)', '{"room":"den", "level": 3'],
])('%s is %s', (text, json) => {
  const read = collect(text, (source, pen) => readKeywords(source, node, pen))
  expect(read).toMatchObject({ json, result: 'complete', rest: ')' })
})

test.each([
  ['"a" \'b\'', '"ab"'],
  ['"""a "b" \n c"""', '"a \\"b\\" \\n c"'],
  ["'''a'b'''", '"a\'b"'],
  ['"\\n\\t\\r\\b\\f\\v\\a"', '"\\n\\t\\r\\b\\f\\u000b\\u0007"'],
  ['"\\x41\\u00e9\\U0001F642"', '"Aé🙂"'],
  ['"\\x4 \\uzzzz \\d \\U99999999"', '"\\\\x4 \\\\uzzzz \\\\d \\\\U99999999"'],
  ['"a\\\nb"', '"ab"'],
  ['"\\"\\\'\\\\"', '"\\"\'\\\\"'],
  ['r"a"', '"a"'],
  ['r"\\n\\"\\x41"', '"\\\\n\\\\\\"\\\\x41"'],
  ['"\\0\\101\\8"', '"\\u0000A\\\\8"'],
  ['"a" , level = 3', '"a", "level": 3'],
  [`"a",${' '.repeat(60)}${'b'.repeat(30)}=1`, `"a", "${'b'.repeat(30)}": 1`],
  ["rb'a'", '"a"'],
  ['""', '""'],
  ['"a\nb"', '"a\\nb"'],
  ['"a\\/b"', '"a\\/b"'],
])('the string %s is %s', (text, json) => {
  const read = collect(`any=${text})`, (source, pen) => readKeywords(source, node, pen))
  expect(read).toMatchObject({ json: `{"any": ${json}`, result: 'complete', rest: ')' })
})

test.each([
  ['', 'cut'],
  ['room="den"', 'cut'],
  ['room="de', 'cut'],
  ['level=1', 'cut'],
  ['any=[1', 'cut'],
  ['any={"a": ', 'cut'],
  ['any=nope)', 'stuck'],
  ['any=abc"x")', 'stuck'],
  ['"a", 2, 3, [], 5)', 'stuck'],
  [`any=${'['.repeat(201)}`, 'stuck'],
])('%s is %s', (text, result) => {
  expect(collect(text, (source, pen) => readKeywords(source, node, pen)).result).toBe(result)
})

test.each([
  ['"den")', 'positional_argument room'],
  ['any={1})', 'set_to_list'],
  ['Room="den")', 'key_corrected Room to room'],
  ['level="3")', 'coerced string to integer'],
])('%s is noted: %s', (text, note) => {
  expect(collect(text, (source, pen) => readKeywords(source, node, pen)).notes).toEqual([note])
})

test('what a closed schema forbids is left out', () => {
  expect(collect('x=[1, "a)"], room="den", y=2)', (source, pen) => readKeywords(source, closed, pen))).toEqual({
    json: '{"room": "den"',
    notes: ['member_dropped x', 'member_dropped y'],
    result: 'complete',
    rest: ')',
  })
})

test.each([
  ['"=a", 3)', '{"room": "=a", "level": 3'],
  ['{"room": "den"} )', '{"room":"den"'],
  ['{"level": "3", "room": 5})', '{"level":3,"room":"5"'],
  ['{"room": "den"},)', '{"room":"den"'],
  ['any="a" "b" \'c\' \'d\')', '{"any": "abcd"'],
  ['any="""a", b""")', '{"any": "a\\", b"'],
  ['any="\\U0010FFFF")', '{"any": "\u{10ffff}"'],
  ['any={"a\\n": 1})', '{"any": {"a\\n":1}'],
  ['größe_2=1)', '{"größe_2": 1'],
])('%s is %s, to the letter', (text, json) => {
  const read = collect(text, (source, pen) => readKeywords(source, node, pen))
  expect(read).toMatchObject({ json, result: 'complete', rest: ')' })
})

test('each item of a list is typed by its own place', () => {
  const pair = schemaOf({ pair: { prefixItems: [{ type: 'integer' }, { type: 'string' }, { type: 'boolean' }] } })
  const read = collect('pair=("1", 2, "true"))', (source, pen) => readKeywords(source, pair, pen))
  expect(read.json).toBe('{"pair": [1,"2",true]')
})

test.each([
  ['room="de', '{"room": "de'],
  ['level=12', '{"level": '],
  ['any="a\\', '{"any": "a\\\\'],
  ['any="\\x4', '{"any": "\\\\x4'],
  ['any="""a"bc', '{"any": "a\\"bc'],
])('%s is cut; until then it says %s', (text, json) => {
  const read = collect(text, (source, pen) => readKeywords(source, node, pen))
  expect(read).toMatchObject({ json, result: 'cut' })
})

test.each([
  ['room', 'cut'],
  ['room=', 'cut'],
  ['any=nop', 'cut'],
  ['any=[', 'cut'],
  ['any=[1, ', 'cut'],
  ['any={"a', 'cut'],
  ['any={1', 'cut'],
  ['{"room": "d', 'cut'],
  [', room="den")', 'stuck'],
  ['{"room": nope=3)', 'stuck'],
  ['any={"a"] 1})', 'stuck'],
  ['any={1 ;2})', 'stuck'],
  ['any=[1 2])', 'stuck'],
  ['{1, 2})', 'stuck'],
  ['level=1, "den")', 'stuck'],
])('%s is %s as well', (text, result) => {
  expect(collect(text, (source, pen) => readKeywords(source, node, pen)).result).toBe(result)
})

test.each([
  ['', 'cut'],
  ['a=1, ', 'cut'],
  ['1)', 'stuck'],
])('without a schema %j is %s', (text, result) => {
  expect(collect(text, (source, pen) => readKeywords(source, ANY, pen)).result).toBe(result)
})

test.each([
  ['lists', 'any=', '[', ']', 200],
  ['dicts', 'any=', '{"a":', '}', 199],
  ['lists in a sole dict', '{"any":', '[', ']', 199],
])('%s are read down to a depth', (_, before, open, close, depth) => {
  const nest = (levels: number) => {
    const inner = `${open.repeat(levels)}${open.length > 1 ? '{}' : ''}${close.repeat(levels)}`
    const text = `${before}${inner}${before.startsWith('{') ? '}' : ''})`
    return collect(text, (source, pen) => readKeywords(source, node, pen)).result
  }
  expect([nest(depth), nest(depth + 1)]).toEqual(['complete', 'stuck'])
})

test('strings are written while they arrive', () => {
  const source = new Source()
  let written = ''
  const pen = { write: (piece: string) => void (written += piece), note: () => undefined }
  const reading = readKeywords(source, node, pen)
  run(source, reading)
  const push = (text: string): string => {
    if (!source.push(text)) run(source, reading)
    return written
  }
  expect(push('room="de')).toBe('{"room": "de')
  expect(push('n"')).toBe('{"room": "den')
  expect(push(', lev')).toBe('{"room": "den"')
  expect(push('el=')).toBe('{"room": "den", "level": ')
  expect(push('1, any=["a", ')).toBe('{"room": "den", "level": 1, "any": ')
})

test.each([
  ['room=f"ab")', '{"room": "ab"'],
  ['room="""""")', '{"room": ""'],
  ['room="""a""" "b")', '{"room": "ab"'],
  ['any={"name": "a", "fade": .5})', '{"any": {"name":"a","fade":0.5}'],
  ['any=["a", "b" "c"], level=3)', '{"any": ["a","bc"], "level": 3'],
])('%s is %s, whatever its strings are made of', (text, json) => {
  const read = collect(text, (source, pen) => readKeywords(source, node, pen))
  expect(read).toMatchObject({ json, result: 'complete', rest: ')' })
})
