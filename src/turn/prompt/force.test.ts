import { describe, expect, test } from 'vitest'
import { dialects, findDialect } from '../../dialects/registry.ts'
import { printCalls } from '../../engine/print.ts'
import { createReader } from '../../engine/reader.ts'
import { fold } from '../../protocol/fold.ts'
import type { Request } from '../../protocol/request.ts'
import type { Tool } from '../../protocol/tool.ts'
import { forceOf } from './force.ts'

const read: Tool = {
  kind: 'function',
  name: 'read',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}
const write: Tool = { ...read, name: 'write' }
const request = (toolChoice: Request['toolChoice'], tools: readonly Tool[] = [read, write]): Request => ({
  model: 'm',
  messages: [],
  tools,
  sampling: {},
  extra: {},
  ...(toolChoice && { toolChoice }),
})
const hermes = findDialect('hermes') ?? dialects[0]
if (hermes === undefined) throw new Error('there are no dialects')
const can = { nativeTools: 'no' as const }

test.each<[string, Request['toolChoice'], string | undefined]>([
  ['nothing, when the model may choose', { mode: 'auto' }, undefined],
  ['nothing, when it must not call', { mode: 'none' }, undefined],
  ['the mark and the name key', { mode: 'required' }, '<tool_call>\n{"name": "'],
  ['the name, too', { mode: 'named', name: 'read' }, '<tool_call>\n{"name": "read", "arguments":'],
  [
    'the only one allowed',
    { mode: 'allowed', required: true, names: ['write'] },
    '<tool_call>\n{"name": "write", "arguments":',
  ],
  ['nothing, when allowed ones are not required', { mode: 'allowed', required: false, names: ['write'] }, undefined],
])('a service that can go on is given %s', (_, choice, prefill) => {
  expect(forceOf(request(choice), hermes, { ...can, prefill: true }).prefill).toBe(prefill)
  expect(forceOf(request(choice), hermes, can)).toEqual({})
})

test('a service that holds its answer to a schema is given one, rather than a beginning', () => {
  const { constraint, prefill, reading } = forceOf(request({ mode: 'required' }), hermes, {
    ...can,
    prefill: true,
    constraints: ['json-schema'],
  })
  expect(prefill).toBeUndefined()
  expect(reading?.name).toBe('json-bare')
  const one = (tool: Tool) => ({
    type: 'object',
    properties: { name: { const: tool.name }, parameters: tool.parameters },
    required: ['name', 'parameters'],
    additionalProperties: false,
  })
  expect(constraint).toEqual({ kind: 'json-schema', schema: { anyOf: [one(read), one(write)] } })
})

test('what the schemas of tools refer to stands where the service looks for it', () => {
  const tree: Tool = { ...read, parameters: { type: 'object', properties: { up: { $ref: '#' } } } }
  const { constraint } = forceOf(request({ mode: 'required' }, [tree, write]), hermes, {
    ...can,
    constraints: ['json-schema'],
  })
  const node = { type: 'object', properties: { up: { $ref: '#/$defs/Root' } } }
  expect(constraint?.schema).toMatchObject({
    anyOf: [{ properties: { parameters: node } }, { properties: { parameters: write.parameters } }],
    $defs: { Root: node },
  })
})

test('keys stand in an order that sorting does not change', () => {
  const { constraint } = forceOf(request({ mode: 'named', name: 'read' }), hermes, {
    ...can,
    constraints: ['json-schema'],
  })
  const keys = Object.keys((constraint?.schema['properties'] ?? {}) as object)
  expect(keys).toEqual(['name', 'parameters'])
  expect(keys).toEqual([...keys].sort())
})

describe.each(dialects.map((dialect) => ({ name: dialect.name, dialect })))(
  'the beginning of a call in $name',
  ({ dialect }) => {
    const printed = printCalls(dialect, [{ id: 'call_1', name: 'read', arguments: '{"path": "/a"}' }], [read])
    const even = (text: string) => text.replace(/\s+/g, '')

    test.each<[string, Request['toolChoice']]>([
      ['named', { mode: 'named', name: 'read' }],
      ['any', { mode: 'required' }],
    ])('is the beginning of a printed call, and with the rest of it reads as one (%s)', (_, choice) => {
      const { prefill } = forceOf(request(choice), dialect, { ...can, prefill: true })
      if (prefill === undefined) return
      expect(even(printed).startsWith(even(prefill))).toBe(true)
      let at = 0
      for (const letter of even(prefill)) at = printed.indexOf(letter, at) + 1
      const reader = createReader({ dialect, others: dialects, tools: [read, write], newId: () => 'id' })
      const answer = fold([...reader.push(prefill + printed.slice(at)), ...reader.end('stop')])
      expect(answer.calls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([['read', { path: '/a' }]])
    })
  },
)

test('what a service may not know of a schema can be left out', () => {
  const picky: Tool = {
    ...read,
    parameters: { type: 'object', properties: { path: { type: 'string', pattern: '^(?!x)' } }, required: ['path'] },
  }
  const both = { ...can, prefill: true, constraints: ['json-schema'] } as const
  const force = forceOf(request({ mode: 'named', name: 'read' }, [picky]), hermes, both)
  const path = (schema: unknown) => expect(schema).toHaveProperty('properties.parameters.properties.path')
  path(force.constraint?.schema)
  expect(JSON.stringify(force.constraint?.schema)).toContain('pattern')
  path(force.otherwise?.constraint?.schema)
  expect(JSON.stringify(force.otherwise?.constraint?.schema)).not.toContain('pattern')
  expect(force.otherwise?.otherwise?.prefill).toContain('"read"')
})

test('a template that opens a thought is kept from it by an answer that has begun', () => {
  const both = { ...can, prefill: true, constraints: ['json-schema'] } as const
  expect(forceOf(request({ mode: 'required' }), hermes, both, true).prefill).toBe('\n')
  expect(forceOf(request({ mode: 'required' }), hermes, { ...both, prefill: false }, true).prefill).toBeUndefined()
  expect(forceOf(request({ mode: 'required' }), hermes, both).prefill).toBeUndefined()
})
