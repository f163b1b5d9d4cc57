import { describe, expect, test } from 'vitest'
import { dialects, findDialect } from '../../src/dialects/registry.ts'
import { printCalls } from '../../src/engine/print.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { cut, hear } from './hear.ts'
import { seamsOf } from './places.ts'

const tools: readonly Tool[] = [
  {
    kind: 'function',
    name: 'read_file',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, from: { type: 'integer' } },
      required: ['path'],
    },
  },
]
/** What may be made of a call that breaks off and of one that follows it. */
const whole = ['{"path":"a.txt"}', '{"path":"a.txt","from":3}', '{"path":"b.txt","from":3}']

describe.each(dialects.map(({ name }) => name))('%s: a call that breaks off anywhere', (name) => {
  const dialect = findDialect(name)
  if (dialect === undefined) throw new Error(name)
  const next = printCalls(
    dialect,
    [{ id: 'call_2', name: 'read_file', arguments: '{"path": "b.txt", "from": 3}' }],
    tools,
  )
  const beginnings = seamsOf(dialect).map(([before]) => before)

  // Where plain words may be an argument, nobody can tell them from others.
  const betweens = ['\n', '', ...(name === 'react' ? [] : ['\n\nSorry, once more.\n\n', '\n<think>Hm.</think>\n'])]

  test.each(betweens)('takes nothing in of the next one, with %j between them', (between) => {
    for (const beginning of beginnings) {
      const text = `${beginning.trimEnd()}${between}${next}`
      const { calls } = hear(dialect, tools, [text])
      const made = calls.map((call) => call.arguments.replace(/\s/g, ''))
      expect(
        made.filter((json) => !whole.includes(json)),
        text,
      ).toEqual([])
      expect(hear(dialect, tools, cut(text, [3, 1, 7])).calls, text).toEqual(calls)
    }
  })
})
