import { describe, expect, test } from 'vitest'
import { dialects, findDialect } from '../../src/dialects/registry.ts'
import { printCalls } from '../../src/engine/print.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { cut, hear } from './hear.ts'

const text = { type: 'string' }
const note = { title: text, tags: { type: 'array', items: text }, text }
const tools: readonly Tool[] = [
  tool('read_file', { path: text, from: { type: 'integer' } }, 'path'),
  tool('write_note', note, 'text'),
]
/** Calls that break off, and what may be in one that is made all the same. */
const first = {
  'the same tool': {
    name: 'read_file',
    arguments: '{"path": "a.txt", "from": 3}',
    own: /^\{"path":"a\.txt"(?:,"from":3)?\}$/,
  },
  'another tool': {
    name: 'write_note',
    arguments: '{"title": "one", "tags": ["x", "y"], "text": "A line\\nand \\"more\\""}',
    own: /^(?!.*(?:b\.txt|read_file|think|once))/,
  },
}

describe.each(dialects.map(({ name }) => name))('%s: a call that breaks off', (name) => {
  const dialect = findDialect(name)
  if (dialect === undefined) throw new Error(name)
  const print = (of: string, json: string) => printCalls(dialect, [{ id: 'call_1', name: of, arguments: json }], tools)
  const next = print('read_file', '{"path": "b.txt", "from": 3}')
  // Plain words may be an argument here.
  const betweens = ['\n', '', ...(name === 'react' ? [] : ['\n\nSorry, once more.\n\n', '\n<think>Hm.</think>\n'])]

  test.each(Object.entries(first))('before one of %s takes nothing in of it', (_, { own, ...call }) => {
    const whole = print(call.name, call.arguments)
    for (let end = 1, turn = 0; end < whole.length; end += 1 + (turn % 3), turn++) {
      const text = whole.slice(0, end).trimEnd() + betweens[turn % betweens.length] + next
      const { calls } = hear(dialect, tools, [text])
      const made = calls.map((one) => `${one.name} ${one.arguments.replace(/\s/g, '')}`)
      const isWhole = (one: string) =>
        one === 'read_file {"path":"b.txt","from":3}' ||
        (one.startsWith(`${call.name} `) && own.test(one.slice(call.name.length + 1)))
      expect(
        made.filter((one) => !isWhole(one)),
        text,
      ).toEqual([])
      expect(hear(dialect, tools, cut(text, [3, 1, 7])).calls, text).toEqual(calls)
    }
  })
})

function tool(name: string, properties: JsonObject, required: string): Tool {
  return { kind: 'function', name, parameters: { type: 'object', properties, required: [required] } }
}
