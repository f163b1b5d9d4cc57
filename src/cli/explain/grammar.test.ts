import { expect, test } from 'vitest'
import { toTools } from './answer.ts'
import { findInGrammar, printInGrammar } from './grammar.ts'

const parameters = {
  type: 'object',
  properties: { room: { enum: ['den', 'hall'] }, level: { type: 'integer', minimum: 0, maximum: 9 } },
  required: ['room'],
  additionalProperties: false,
}
const tools = toTools([{ name: 'set_lamp', parameters }])
const call = (args: string) => `<tool_call>\n{"name": "set_lamp", "arguments": ${args}}\n</tool_call>`
const plain = (_: string, text: string) => text

test.each<[string, string]>([
  ['words', 'All is well: 2 < 3.'],
  ['a call', call('{"room": "den"}')],
  ['a call in a file that ends with a new line', `${call('{"room": "den"}')}\n`],
  ['words and two calls', `So.\n${call('{"room": "den"}')}\n${call('{"level": 3, "room": "hall"}')}`],
  ['a thought the prompt opened', `Hm.</think>\n\n${call('{"room": "den"}')}`],
])('%s fits', (_, text) => {
  expect(findInGrammar({ text, tools }, 'hermes')).toEqual({ dialect: 'hermes', fits: true })
})

test.each<[string, string, string, string | null, string]>([
  ['a value out of its enum', call('{"room": "attic"}'), 'attic"', 'a', '"den\\""'],
  ['a number out of range', call('{"room": "den", "level": 12}'), '2}}', '2', '"}"'],
  ['an argument that was not declared', call('{"door": 1}'), 'door', 'd', '"room\\":"'],
  ['a tool that was not offered', call('{}').replace('set_lamp', 'paint'), 'paint', 'p', '"set_lamp'],
  ['a required argument missing', call('{"level": 1}'), '}}', '}', '","'],
  ['a call that is cut off', call('{"room": "den"}').slice(0, -3), '', null, '"ll>"'],
  ['words after a call', `${call('{"room": "den"}')} Done.`, ' Done.', ' ', 'the end'],
])('%s is found where it stands', (_, text, rest, found, expected) => {
  const finding = findInGrammar({ text, tools }, 'hermes')
  const at = rest === '' ? text.length : text.lastIndexOf(rest)
  expect(finding).toMatchObject({ dialect: 'hermes', fits: false, at, found })
  expect(finding.expected?.join(' ')).toContain(expected)
})

test('nothing can be told of a text in no dialect', () => {
  expect(findInGrammar({ text: 'Hi', tools }, null)).toEqual({ dialect: null, fits: null })
  expect(printInGrammar('Hi', { dialect: null, fits: null }, plain)).toContain('Name it with --dialect.')
})

test('people see the line, the place in it, and what is allowed there', () => {
  const text = call('{"room": "attic"}')
  expect(printInGrammar(text, findInGrammar({ text, tools }, 'hermes'), plain).split('\n')).toEqual([
    '',
    'Grammar',
    '      The output leaves the grammar of hermes at line 2, column 45: it has "a".',
    '      me": "set_lamp", "arguments": {"room": "attic"}}',
    '                                              ^',
    '      Allowed here: "hall\\""  or  "den\\""',
    '',
  ])
})
