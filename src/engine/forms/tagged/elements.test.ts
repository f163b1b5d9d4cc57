import { expect, test } from 'vitest'
import { hear } from '../../../../test/engine/hear.ts'

const qwen = (inner: string) => `<tool_call>\n<function=set_lamp>\n${inner}\n</function>\n</tool_call>x`
const xml = (inner: string) => `<set_lamp>\n${inner}\n</set_lamp>x`
const claude = (inner: string) => `<invoke name="set_lamp">\n${inner}\n</invoke>\nx`
const glm = (inner: string) => `<tool_call>set_lamp\n${inner}\n</tool_call>x`
const room = '<parameter=room>den</parameter>'
const den = '{"room":"den"}'
const both = '{"room":"den","level":3}'
const unwrapped = ['arguments_repaired unwrapped from an element']

test.each([
  ['qwen3-coder', qwen(`${room}\n</parameter>\n<parameter=level>3</parameter>`), both, ['mark_dropped </parameter>']],
  ['qwen3-coder', qwen(`<arguments>\n${room}\n</arguments>`), den, unwrapped],
  ['qwen3-coder', qwen(`<arguments>${room}`), den, unwrapped],
  ['qwen3-coder', qwen('<parameters>\n<room>den</room><level>3</level>\n</parameters>'), both, unwrapped],
  ['qwen3-coder', qwen('<room>den</room>\n<level>3</level>'), both, []],
  ['qwen3-coder', qwen('<param=room>den</param>'), den, []],
  ['qwen3-coder', qwen('<parameter name="room">den</parameter>'), den, []],
  ['qwen3-coder', qwen('<parameter>room</parameter>\nden</parameter>'), den, ['arguments_repaired odd tag']],
  ['qwen3-coder', qwen('<parameter=Room>den</parameter>'), den, ['key_corrected Room to room']],
  ['qwen3-coder', qwen(`\\n${room}\\n`), den, []],
  ['qwen3-coder', qwen('{"room": "den"}'), '{"room": "den"}', []],
  ['xml-toolname', xml('<room>den</room>\n<level>3</level>'), both, []],
  ['xml-toolname', xml('<room>den</room>\n<!-- a -->\n<?b c?>\n<level>3</level>'), both, []],
  ['xml-toolname', xml('<zone>den</zone>'), '{"zone":"den"}', []],
  ['xml-toolname', xml('<room/>'), '{"room":""}', []],
  ['xml-toolname', xml('<room />'), '{"room":""}', []],
  ['xml-toolname', xml('<room>\n  den\n</room>'), '{"room":"  den"}', []],
  ['xml-toolname', xml('  <room>\n    den\n      x\n  </room>'), '{"room":"den\\n  x"}', []],
  ['xml-toolname', xml('<room>a &amp; b &lt;</room>'), '{"room":"a & b <"}', []],
  ['anthropic-xml', claude('<parameter name="room">\nden\n</parameter>'), '{"room":"\\nden\\n"}', []],
  ['anthropic-xml', claude('<parameter name="room">den</ parameter >'), den, []],
  ['anthropic-xml', claude('<parameter name="room">den</parameter name="room">'), den, []],
  ['anthropic-xml', claude('<parameter name="room">den'), den, ['closer_missing </parameter>']],
  ['anthropic-xml', claude('<parameter name="room">a <b>c</b></parameter>'), '{"room":"a <b>c</b>"}', []],
  ['anthropic-xml', claude('<parameter name="room">a </b></parameter>'), '{"room":"a </b>"}', []],
  ['anthropic-xml', claude('<parameter name="room">a<![CDATA[b</parameter>'), '{"room":"a<![CDATA[b"}', []],
  [
    'anthropic-xml',
    claude('<parameter name="room">a<![CDATA[</parameter>]]>b</parameter>'),
    '{"room":"a<![CDATA[</parameter>]]>b"}',
    [],
  ],
  [
    'anthropic-xml',
    claude('<parameter name="room">den\n<parameter name="level">3</parameter>'),
    both,
    ['closer_missing </parameter>'],
  ],
  [
    'anthropic-xml',
    claude('<parameter name="room">den</room>\n<parameter name="level">3</parameter>'),
    both,
    ['closer_wrong </room>'],
  ],
  ['anthropic-xml', claude('<parameter name="room">den</invoke> so</parameter>'), '{"room":"den</invoke> so"}', []],
  ['glm-4.5', glm('<arg_key>room</arg_key>den</arg_value>'), den, []],
])('%s: %j has the arguments %s', (dialect, said, json, notes) => {
  expect(hear(dialect, said)).toMatchObject({ calls: [`set_lamp ${json}`], text: 'x', notes, failures: [] })
})

test.each([
  ['zone type="string"', '5', '"zone":"5"'],
  ['zone string="true"', '5', '"zone":"5"'],
  ['zone string="false"', '5', '"zone":5'],
  ['zone type="number"', '5', '"zone":5'],
  ['level string="true"', '5', '"level":5'],
  ['on', 'yes', '"on":"yes"'],
  ['scene', '<name>dusk</name><fade>0.5</fade>', '"scene":{"name":"dusk","fade":0.5}'],
  ['tags', '<item>a</item><item>b</item>', '"tags":["a","b"]'],
  ['tags', '', '"tags":[]'],
  ['tags', 'null', '"tags":null'],
  ['tags', '<![CDATA[["a"]]]>', '"tags":["a"]'],
])('the argument %s with the text %j is %s', (key, text, json) => {
  const heard = hear('qwen3-coder', qwen(`<parameter=${key}>${text}</parameter>${room}`))
  expect(heard).toMatchObject({ calls: [`set_lamp {${json},"room":"den"}`], text: 'x', notes: [] })
})

test.each([
  ['qwen3-coder', qwen('<!-- a <parameter=room>den</parameter>')],
  ['qwen3-coder', qwen('<arguments>den</arguments>')],
  ['qwen3-coder', qwen('<input><![CDATA[a]]></input>')],
  ['qwen3-coder', qwen('den')],
  ['xml-toolname', 'Use <write_note>words</write_note> so'],
])('%s: %j has no arguments and is text', (dialect, text) => {
  expect(hear(dialect, text)).toMatchObject({ calls: [], text, notes: [], failures: [] })
})

test.each([
  '<function=set_lamp>\n<parameter=level>3</parameter>',
  '<function=set_lamp>\n<parameter=room>den</parameter>\n<parameter=level',
])('%j lacks more than its closers: it was cut off', (text) => {
  expect(hear('qwen3-coder', text)).toMatchObject({ calls: [], text, failures: ['cut-off'] })
})

test.each([
  ['<set_lamp>\n<room>den</room>\n<ping>\n</ping>x', []],
  ['<set_lamp>\n<room>den</room>\n<ping>\n</ping>\n</set_lamp>x', ['mark_dropped </set_lamp>']],
])('a tag named like another tool begins its call: %j', (said, notes) => {
  const heard = hear('xml-toolname', said)
  expect(heard).toMatchObject({ calls: ['set_lamp {"room":"den"}', 'ping {}'], text: 'x' })
  expect(heard.notes.slice(1)).toEqual(notes)
})

test.each([
  ['\nwords &amp; more\n', 'words & more'],
  ['<![CDATA[a & b]]>', 'a & b'],
  ['a <![CDATA[&amp;]]> b', 'a &amp; b'],
])('words in the tag of a tool that takes words are its argument: %j', (inner, text) => {
  const heard = hear('xml-toolname', `<write_note>${inner}</write_note>x`)
  expect(heard).toMatchObject({ calls: [`write_note ${JSON.stringify({ text })}`], text: 'x' })
  expect(heard.notes).toEqual(['arguments_repaired text as text'])
})
