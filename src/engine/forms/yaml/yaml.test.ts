import { describe, expect, test } from 'vitest'
import { collect, schemaOf } from '../../../../test/engine/collect.ts'
import { nowhere, type Pen } from '../../text/pen.ts'
import { Source } from '../../text/source.ts'
import { readYamlBody } from './form.ts'

const properties = {
  text: { type: 'string' },
  n: { type: 'integer' },
  unit: { type: 'string', enum: ['celsius', 'kelvin'] },
  list: { type: 'array', items: { type: 'string' } },
  scene: { type: 'object', properties: { fade: { type: 'number' } }, additionalProperties: false },
} as const
const closer = '</t>'

function contextOf(source: Source, pen: Pen) {
  return { source, pen, endedWell: false, readInVain: 0 }
}

/** What is made of a body, one character at a time. */
function read(text: string, closed = false) {
  const layout = /^\s*/.exec(text)?.[0] ?? ''
  return collect(`${text.slice(layout.length)}${closer}`, (source, pen) =>
    readYamlBody(contextOf(source, pen), schemaOf(properties, closed), [closer], layout),
  )
}

describe('YAML that is right', () => {
  test.each([
    ['\ntext: a\nn: 3\n', '{"text": "a", "n": 3'],
    ['\n  text: 12\n  n: "3"\n', '{"text": "12", "n": 3'],
    ['text: a\nn: 3', '{"text": "a", "n": 3'],
    ['list: [1, b]', '{"list": ["1", "b"]'],
    ['list:\n  - 1\n  - "2"', '{"list": ["1", "2"]'],
    ['list:\n- 1\n\n# more\n- b\nn: 1', '{"list": ["1", "b"], "n": 1'],
    ['scene:\n  fade: 0.50\nn: 1', '{"scene": {"fade": 0.50}, "n": 1'],
    ['scene: {\n  "fade": 1\n}\nn: 1', '{"scene": {"fade": 1}, "n": 1'],
    ['scene: {\n  fade: 1\n}\nn: 1', '{"scene": {"fade": 1}, "n": 1'],
    ['other: {a: 1.0, b: yes, c: null, d: "5"}', '{"other": {"a": 1.0, "b": "yes", "c": null, "d": "5"}'],
    ['other: 9007199254740993', '{"other": 9007199254740993'],
    ['text: null\nn:', '{"text": "null", "n": null'],
    ['text:\nn: 1', '{"text": "", "n": 1'],
    ['"text": a\n\'n\': 1', '{"text": "a", "n": 1'],
    ["'it''s': a\n\"b \\u00e9: c\": d", '{"it\'s": "a", "b é: c": "d"'],
    ['"a": [1.0, {"b": 2}]\nn: 1', '{"a": [1.0, {"b": 2}], "n": 1'],
    ['{"text": "a",\n"n": 3}', '{"text": "a",\n"n": 3'],
    ['http://x: 1', '{"http://x": 1'],
    ['text: one\n  two', '{"text": "one two"'],
    ["text: 'it''s'", '{"text": "it\'s"'],
    ['text: >-\n  one\n  two\nn: 1', '{"text": "one two", "n": 1'],
    ['# first\ntext: a # said\n# last', undefined],
    ['text: a # said\n  # then\n# last\nn: 1', '{"text": "a", "n": 1'],
    ['n: 1\n? text\n: a', '{"n": 1, "text": "a"'],
    ['text: a\r\nn: 1\r\n', '{"text": "a", "n": 1'],
    ['{text: a, n: "3"}', '{"text": "a", "n": 3'],
    ['---\ntext: a', '{"text": "a"'],
    ['other:\n  a: |\n    x\n  b: >\n  c: [y,\n    z]', '{"other": {"a": "x\\n", "b": "", "c": ["y", "z"]}'],
  ])('%j', (text, json) => {
    const { result, rest, notes, json: written } = read(text)
    if (json === undefined) expect(JSON.parse(`${written}}`)).toEqual({ text: 'a' })
    else expect(written).toBe(json)
    expect({ result, rest, notes }).toEqual({ result: 'complete', rest: closer, notes: [] })
  })
})

describe('a block', () => {
  test.each([
    ['|\n  a\n    b\n', 'a\n  b\n'],
    ['|\n  a\n\n', 'a\n'],
    ['|-\n  a\n\n', 'a'],
    ['|+\n  a\n\n', 'a\n\n'],
    ['|-\n  a', 'a'],
    ['|\n  a', 'a\n'],
    ['|+\n  a', 'a\n'],
    ['|\n\n  a\n\n\n  b\n', '\na\n\n\nb\n'],
    ['|\n  a\n     \n  b\n    \n', 'a\n   \nb\n  \n'],
    ['|2\n   a\n  b\n', ' a\nb\n'],
    ['|-2\n   a\n', ' a'],
    ['|2-\n   a\n', ' a'],
    ['| # said\n  a\n', 'a\n'],
    ['|\r\n  a\r\n  b\rc\r\n', 'a\nb\rc\n'],
    ['|\n  "q" \\n {1: <b>} </x>\t\n', '"q" \\n {1: <b>} </x>\t\n'],
    ['|\n  \ta\n', '\ta\n'],
    ['|\n', ''],
    ['|', ''],
    ['|+\n\n', '\n'],
  ])('%j', (block, text) => {
    const { json, result, notes } = read(`text: ${block}`)
    expect({ ...(JSON.parse(`${json}}`) as object), result, notes }).toEqual({ text, result: 'complete', notes: [] })
  })

  test('ends at a comment or a member that is not indented', () => {
    expect(read('\n  text: |\n    a\n  # said\n  n: 1').json).toBe('{"text": "a\\n", "n": 1')
    expect(read('\n  text: |\n    a\nn: 1').json).toBe('{"text": "a\\n", "n": 1')
    expect(read('text: |\nn: 1').json).toBe('{"text": "", "n": 1')
  })
})

describe('double quotes', () => {
  test.each([
    ['"a\\tb"', 'a\tb'],
    ['""  # said', ''],
    ['"a" # said', 'a'],
    ['"a#b: c"', 'a#b: c'],
    [
      '"\\u00e9\\x41\\U0001F642\\0\\a\\b\\e\\f\\n\\r\\v\\ \\/\\_\\N\\L\\P\\""',
      'éA🙂\0\x07\b\x1b\f\n\r\v /\xa0\x85\u2028\u2029"',
    ],
    ['"🙂 \u0007 \t."', '🙂 \u0007 \t.'],
    ['"one  \n   two\n\n   three"', 'one two\nthree'],
    ['"one \\\n   two"', 'one two'],
    ['"one\r\n   two"', 'one two'],
    ['"<b> </x>"', '<b> </x>'],
  ])('%j', (quoted, text) => {
    const { json, result, notes } = read(`text: ${quoted}\nn: 1`)
    expect({ ...(JSON.parse(`${json}}`) as object), result, notes }).toEqual({
      text,
      n: 1,
      result: 'complete',
      notes: [],
    })
  })
})

describe('what is not right is read on', () => {
  const asItStands = 'arguments_repaired text as it stands'
  test.each([
    ['text: Note: this\nn: 1', { text: 'Note: this', n: 1 }, [asItStands]],
    ['text:   a\n  b\nc d  \n', { text: '  a\n  b\nc d  \n' }, [asItStands]],
    ['text:\n  a: b: c\n    d\nn: 1', { text: 'a: b: c\n  d\n', n: 1 }, [asItStands]],
    ['text: *bold* word', { text: '*bold* word' }, [asItStands]],
    ['text: #fff\nn: 1', { text: '#fff', n: 1 }, [asItStands]],
    ['text: [sic]\nn: 1', { text: '[sic]', n: 1 }, [asItStands]],
    ['text: 12" wide\nn: 1', { text: '12" wide', n: 1 }, []],
    ['text: >\none\ntwo\nn: 1', { text: 'one\ntwo\n', n: 1 }, [asItStands]],
    ['text: | a\nn: 1', { text: '| a', n: 1 }, [asItStands]],
    ['text: @you\nn: 1', { text: '@you', n: 1 }, [asItStands]],
    ['text: [a\n', { text: '[a' }, [asItStands]],
    ['text: "\\d+ \\u12"', { text: '\\d+ \\u12' }, []],
    ['text: |\ndef f():\n  # g\n  x: 1\nn: 1', { text: 'def f():\n  # g\n  x: 1\n', n: 1 }, [asItStands]],
    ['text: |\n\ta\n\t\tb\n', { text: 'a\n\tb\n' }, [asItStands]],
    ['text: |-\na\n\n', { text: 'a' }, [asItStands]],
    ['text: |\n  a\n# b\nc\n', { text: 'a\n# b\nc\n' }, [asItStands]],
    ['Text: a\nN: 1', { text: 'a', n: 1 }, ['key_corrected Text to text', 'key_corrected N to n']],
    ['unit: Celsius', { unit: 'celsius' }, []],
    ['unit: "Celsius"', { unit: 'celsius' }, []],
    ['scene:\n  fade: 1\n  name: x', { scene: { fade: 1 } }, ['member_dropped name']],
    ['arguments:\n  text: a\n', { text: 'a' }, ['arguments_repaired unwrapped from an object']],
    ['<text>a</text><n>3</n>', { text: 'a', n: 3 }, []],
    ['<text> a</text>\n<n>3\n', { text: 'a', n: 3 }, []],
    ['<text>\n <b> a </b>\n</text>', { text: '<b> a </b>' }, []],
  ] as const)('%j', (text, value, notes) => {
    const { json, result, rest, notes: noted } = read(text)
    expect(JSON.parse(`${json}}`)).toEqual(value)
    expect({ result, rest, notes: noted }).toEqual({ result: 'complete', rest: closer, notes })
  })
})

test('members the schema forbids are left out', () => {
  const { json, notes } = read('x: []\ntext: a\ny: |\n  b\nn: 1\nz: "c"', true)
  expect(json).toBe('{ "text": "a", "n": 1')
  expect(notes).toEqual(['member_dropped x', 'member_dropped y', 'member_dropped z'])
  expect(read('x: 1', true).json).toBe('{')
})

test.each([
  ['just words'],
  ['- a\n- b'],
  ['n: [a'],
  ['text: "a'],
  ['text: "a"\nwords'],
  ['text: &x a\nn: *x'],
  ['a: &x b\nc: *x'],
  ['text: "say "x"\nother: "b"'],
  ['text: "say "x"\nn: 1\nb"'],
  ['text: """a\nn: 1'],
  ["text: 'a\nn: 1\nb'"],
  ["text: 'tis\nn: 1"],
  ['text: "12" wide"\nn: 1'],
  ['n: 1\nn: 2'],
  ['list: ["a" "b"]'],
  ['list: ["a"\n"b"]'],
  ['other: {"a": 1} b'],
  ['n: 1\n? "a" b'],
  ['? ? a\n  : b\n: c'],
  ['? '.repeat(300)],
  ['text: Note: a\nn: 1\nb\nn: 2'],
  [`other: ${'['.repeat(300)}${']'.repeat(300)}`],
])('%j makes no sense: all of it is read and nothing made of it', (text) => {
  const { result, rest } = read(text)
  expect({ result, rest }).toEqual({ result: 'stuck', rest: closer })
})

test.each([['text: a\nn: 1'], ['text: |\n  a\n'], ['text: "a"\n'], ['text: "a'], ['{text: a}'], ['n: [']])(
  '%j without a closer is cut off',
  (text) => {
    const read = collect(text, (source, pen) =>
      readYamlBody(contextOf(source, pen), schemaOf(properties), [closer], ''),
    )
    expect(read.result).toBe('cut')
  },
)

test.each([['text: |\n  one\n  tw'], ['n: 1\ntext: "one"\n'], ['{text: a}']])(
  'of %j nothing is written before the closer has come',
  (text) => {
    const source = new Source()
    let written = ''
    const pen = { write: (piece: string) => void (written += piece), note: () => undefined }
    const reading = readYamlBody(contextOf(source, pen), schemaOf(properties), [closer], '')
    reading.next()
    for (const character of text) if (!source.push(character)) reading.next()
    expect(written).toBe('')
  },
)

describe('a call that is quoted in a value', () => {
  test.each([
    ['text: |\n  <t>\n  text: a\n  </t>\nn: 1', { text: '<t>\ntext: a\n</t>\n', n: 1 }],
    ['text: |\n  <t>\n  <t></t>\n  </t>\n  <t>x</t>\n', { text: '<t>\n<t></t>\n</t>\n<t>x</t>\n' }],
    ['text: |\n<t>\nm: 2\n</t>\n', { text: '<t>\nm: 2\n</t>\n' }],
    ['text: use <t> so', { text: 'use <t> so' }],
  ])('%j', (text, value) => {
    const { json, result, rest } = read(text)
    expect(JSON.parse(`${json}}`)).toEqual(value)
    expect({ result, rest }).toEqual({ result: 'complete', rest: closer })
  })

  test('ends the body if it is not whole', () => {
    expect(read('text: |\n  </t>\n  a')).toMatchObject({ result: 'complete', rest: '</t>\n  a</t>' })
    expect(read('text: |\n  <t>\n  a').result).toBe('cut')
  })
})

const values = ['', 'n: ', 'other: ', 'list:\n  - "']
const units = [
  '- ',
  'a: ',
  '[',
  '{a: ',
  '? ',
  ']',
  '- a\n',
  'a: b\n',
  'a:\n',
  '"',
  '"\\',
  '\\d',
  '&a ',
  '*a ',
  '!a ',
  '|\n',
]

test.each(values)('a model that loops after %j is heard out without much work', (before) => {
  const results = units.map((unit) => {
    const source = new Source()
    source.push(`${before}${unit.repeat(200_000)}\n${closer}`)
    const started = process.cpuUsage().user
    const pen = { write: () => undefined, note: () => undefined }
    readYamlBody(contextOf(source, pen), schemaOf(properties), [closer], '').next()
    const spentMs = (process.cpuUsage().user - started) / 1000
    return [unit, spentMs < 1000]
  })
  expect(results).toEqual(units.map((unit) => [unit, true]))
})

test('a file of any length is read, in a block or in quotes', () => {
  const lines = 'if (a < b) { say("c: d", [e]) } # f\n'.repeat(30_000)
  const block = lines.replace(/^(?=.)/gm, '  ')
  for (const text of [`text: |\n${block}`, `text: ${JSON.stringify(lines)}`]) {
    const source = new Source()
    let written = ''
    source.push(`${text}\n${closer}`)
    const pen = { write: (piece: string) => void (written += piece), note: () => undefined }
    expect(readYamlBody(contextOf(source, pen), schemaOf(properties), [closer], '').next().value).toBe('complete')
    expect((JSON.parse(`${written}}`) as { text: string }).text.trimEnd() === lines.trimEnd()).toBe(true)
  }
})

test('an answer with many bodies that are no YAML is not asked for more, except for JSON', () => {
  const context = contextOf(new Source(), nowhere)
  const bodyOf = (text: string) => {
    const source = new Source()
    source.push(`${text}${closer}`)
    return readYamlBody(Object.assign(context, { source }), schemaOf(properties), [closer], '').next().value
  }
  const outcomes = Array.from({ length: 500 }, () => bodyOf('text: "a"\n"n: 3'))
  expect(new Set(outcomes)).toEqual(new Set(['stuck']))
  expect(bodyOf('other: [1, two]')).toBe('stuck')
  expect(bodyOf('text: "a"\nn: 3')).toBe('complete')
})

test('bodies that are YAML may be as many as they like', () => {
  const context = contextOf(new Source(), nowhere)
  const outcomes = Array.from({ length: 500 }, () => {
    const source = new Source()
    source.push(`text: a b\nother: [1, two]${closer}`)
    return readYamlBody(Object.assign(context, { source }), schemaOf(properties), [closer], '').next().value
  })
  expect(new Set(outcomes)).toEqual(new Set(['complete']))
})
