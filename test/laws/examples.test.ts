import { deepEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { type Dialect, hasFaintMarks, hasNameMarks } from '../../src/dialects/dialect.ts'
import { dialects } from '../../src/dialects/registry.ts'
import { printCalls } from '../../src/engine/print.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { check, timeout } from './check.ts'
import { cut, hear, toPlain } from './hear.ts'

const tools: readonly Tool[] = [
  {
    kind: 'function',
    name: 'set_lamp',
    parameters: {
      type: 'object',
      properties: { room: { type: 'string' }, level: { type: 'integer' } },
      required: ['room'],
    },
  },
]

const sizes = fc.oneof(fc.constant([1]), fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }))
const before = fc.constantFrom('Here is how a call looks:\n', 'Look:\n\n', 'First of all, 2 things.\n')
const after = fc.constantFrom('\nHope it helps.', '\n\nDone', '\nThat sets the lamp.\n', '\n- and so on')
const args = fc
  .record({ room: fc.constantFrom('den', 'the "red" den', "it's", '{x}', 'a\nb', 'ä<b>'), level: fc.option(fc.nat(9)) })
  .map(({ room, level }) => JSON.stringify(level === null ? { room } : { room, level }))
const info = fc.constantFrom('', 'xml', 'json', 'text', 'tool_call')

const samples = fc.record({ before, after, args, info, sizes, other: fc.nat(99) })

const share = 0.1

/** JSON that says what to call, as models write it that forget all marks. */
const unmarked: readonly ((json: string) => string)[] = [
  (json) => `{"name": "set_lamp", "arguments": ${json}}`,
  (json) => `{"name": "set_lamp", "parameters": ${json}}`,
  (json) => `[{"name": "set_lamp", "arguments": ${json}}]`,
  (json) => `{"action": "set_lamp", "action_input": ${json}}`,
  (json) => `{"tool_calls": [{"name": "set_lamp", "arguments": ${json}}]}`,
  (json) => `\`\`\`json\n{"name": "set_lamp", "arguments": ${json}}\n\`\`\``,
]

/** Files and records that only happen to bear a tool's name. */
const records: readonly string[] = [
  '{"name": "set_lamp", "version": "1.0.0", "description": "Lamps", "dependencies": {"bulb": "^2.0.0"}}',
  '{\n  "name": "set_lamp",\n  "private": true,\n  "scripts": {"test": "vitest"}\n}',
  '{"name": "set_lamp", "price": 5}',
  '{"name": "set_lamp", "description": "Dims a lamp.", "parameters": {"type": "object", "properties": {}}}',
  '[{"name": "set_lamp", "version": "1.0.0"}]',
  '```json\n{"name": "set_lamp", "version": "1.0.0"}\n```',
]

/** Those whose calls begin like ordinary text: a bracket, a fence, a name. */
const faint = dialects.filter(
  (dialect) => hasFaintMarks(dialect.grammar) && /^(?:[[{`]|set_lamp)/.test(print(dialect, '{}')),
)
/** Those whose calls are read where no dialect is taught. */
const plain = dialects.filter(({ grammar }) => !hasFaintMarks(grammar) && !hasNameMarks(grammar))
const nobody = { name: 'none', dialect: undefined }

/** What is shown is not called, and what is called is. */
describe.each([nobody, ...dialects.map((dialect) => ({ name: dialect.name, dialect }))])(
  '$name',
  { timeout },
  ({ dialect }) => {
    const others = dialect === undefined ? plain : [dialect]
    const assertText = (text: string, sizes: readonly number[]): void => {
      for (const pieces of [[text], cut(text, sizes)]) {
        const { content, reasoning, calls, finish } = hear(dialect, tools, pieces)
        deepEqual({ content, reasoning, calls, finish }, { content: text, reasoning: '', calls: [], finish: 'stop' })
      }
    }
    const assertCall = (text: string, sizes: readonly number[], content: string, json: string): void => {
      const expected = { content, calls: toPlain([{ name: 'set_lamp', arguments: json }]), finish: 'tool_calls' }
      for (const pieces of [[text], cut(text, sizes)]) {
        const { content, calls, finish } = hear(dialect, tools, pieces)
        deepEqual({ content, calls: toPlain(calls), finish }, expected)
      }
    }

    test('a call in a fence is an example when words follow, and a call when none do', () => {
      check(
        dialect,
        samples,
        ({ before, after, args, info, sizes, other }) => {
          const fence = fenced(pick(others, other), args, info)
          assertText(before + fence + after, sizes)
          assertCall(`${before + fence}\n`, sizes, before.trimEnd(), args)
        },
        share,
      )
    })

    test('a call in faint marks between words is an example', () => {
      check(
        dialect,
        samples,
        ({ before, after, args, sizes, other }) => {
          assertText(before + print(pick(faint, other), args) + after, sizes)
        },
        share,
      )
    })

    test('JSON of a call is a call at the end of the answer, and text before words', () => {
      check(
        dialect,
        samples,
        ({ before, after, args, sizes, other }) => {
          const json = pick(unmarked, other)(args)
          assertCall(before + json, sizes, before.trimEnd(), args)
          assertText(before + json + after, sizes)
        },
        share,
      )
    })

    test('JSON that has the name of a tool and nothing that the tool takes is text', () => {
      check(
        dialect,
        samples,
        ({ before, after, sizes, other }) => {
          const record = pick(records, other)
          assertText(before + record, sizes)
          assertText(before + record + after, sizes)
          assertText(record, sizes)
        },
        share,
      )
    })
  },
)

function pick<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T
}

function print(dialect: Dialect, json: string): string {
  return printCalls(dialect, [{ id: 'call_1', name: 'set_lamp', arguments: json }], tools).trim()
}

/** The call in a fence that nothing in it ends; one that is a fence by itself has its own. */
function fenced(dialect: Dialect, json: string, info: string): string {
  const call = print(dialect, json)
  if (call.startsWith('```')) return call
  const fence = call.includes('```') ? '````' : '```'
  return `${fence}${info}\n${call}\n${fence}`
}
