import { describe, expect, test } from 'vitest'
import type { Dialect } from '../../../dialects/dialect.ts'
import { dialects, findDialect } from '../../../dialects/registry.ts'
import { printCalls } from '../../../engine/print.ts'
import { createReader } from '../../../engine/reader.ts'
import { fold } from '../../../protocol/fold.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { Request } from '../../../protocol/request.ts'
import type { Tool } from '../../../protocol/tool.ts'
import type { Capabilities } from '../../../upstreams/upstream.ts'
import { defaultSettings, type ModelSettings } from '../../settings.ts'
import { type Force, forcesOf } from './force.ts'
import { createGrammars } from './grammars.ts'

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
const schemaHeld = { constraints: [{ kind: 'json-schema' }] } as const

/** Every step of the ladder, made. */
async function laddered(
  asked: Request,
  dialect: Dialect,
  capabilities: Capabilities,
  settings: Partial<ModelSettings> = {},
): Promise<readonly Force[]> {
  const all = { ...defaultSettings('m', []), ...settings }
  return await Promise.all(forcesOf(asked, dialect, capabilities, all, createGrammars()).map((step) => step()))
}

async function schemaIn(...asked: Parameters<typeof laddered>): Promise<JsonObject | undefined> {
  const { constraint } = await surest(...asked)
  return constraint?.kind === 'json-schema' ? constraint.schema : undefined
}

async function surest(...asked: Parameters<typeof laddered>): Promise<Force> {
  return (await laddered(...asked))[0] ?? {}
}

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
])('a service that can go on is given %s', async (_, choice, prefill) => {
  expect((await surest(request(choice), hermes, { ...can, prefill: true })).prefill).toBe(prefill)
  expect(await laddered(request(choice), hermes, can)).toEqual([{}])
})

test('a service that holds its answer to a schema is given one, rather than a beginning', async () => {
  const { constraint, prefill, reading } = await surest(request({ mode: 'required' }), hermes, {
    ...can,
    prefill: true,
    ...schemaHeld,
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

test('what the schemas of tools refer to stands where the service looks for it', async () => {
  const tree: Tool = { ...read, parameters: { type: 'object', properties: { up: { $ref: '#' } } } }
  const constraint = await schemaIn(request({ mode: 'required' }, [tree, write]), hermes, {
    ...can,
    ...schemaHeld,
  })
  const node = { type: 'object', properties: { up: { $ref: '#/$defs/Root' } } }
  expect(constraint).toMatchObject({
    anyOf: [{ properties: { parameters: node } }, { properties: { parameters: write.parameters } }],
    $defs: { Root: node },
  })
})

test('keys stand in an order that sorting does not change', async () => {
  const constraint = await schemaIn(request({ mode: 'named', name: 'read' }), hermes, {
    ...can,
    ...schemaHeld,
  })
  const keys = Object.keys((constraint?.['properties'] ?? {}) as object)
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
    ])('is the beginning of a printed call, and with the rest of it reads as one (%s)', async (_, choice) => {
      const { prefill } = await surest(request(choice), dialect, { ...can, prefill: true })
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

test('what a service may not know of a schema can be left out', async () => {
  const picky: Tool = {
    ...read,
    parameters: { type: 'object', properties: { path: { type: 'string', pattern: '^(?!x)' } }, required: ['path'] },
  }
  const both = { ...can, prefill: true, ...schemaHeld }
  const [first, second, third, last] = await laddered(request({ mode: 'named', name: 'read' }, [picky]), hermes, both)
  const path = 'constraint.schema.properties.parameters.properties.path'
  expect(first).toHaveProperty(path)
  expect(JSON.stringify(first)).toContain('pattern')
  expect(second).toHaveProperty(path)
  expect(JSON.stringify(second)).not.toContain('pattern')
  expect(third?.prefill).toContain('"read"')
  expect(last).toEqual({})
})

test('a template that opens a thought is kept from it by an answer that has begun', async () => {
  const both = { ...can, prefill: true, ...schemaHeld }
  const thinks = { template: { system: true, alternate: false, thinks: true } }
  const required = request({ mode: 'required' })
  expect((await surest(required, hermes, both, thinks)).prefill).toBe('\n')
  expect((await surest(required, hermes, { ...both, prefill: false }, thinks)).prefill).toBeUndefined()
  expect((await surest(required, hermes, both)).prefill).toBeUndefined()
})

describe('a service that takes grammars', () => {
  const all: Capabilities = {
    ...can,
    prefill: true,
    constraints: [{ kind: 'ebnf' }, { kind: 'structural-tag', isCheap: true }, { kind: 'json-schema' }],
  }
  const kindsOf = (forces: readonly Force[]) =>
    forces.map(({ constraint, prefill }) => constraint?.kind ?? (prefill === undefined ? 'words' : 'prefill'))
  const toolChoice = { mode: 'required' } as const
  const format = { type: 'json_object' }
  const schemas = ['json-schema', 'json-schema', 'prefill', 'words']

  test.each<[string, Partial<Request>, ModelSettings['constrain'], readonly string[]]>([
    ['whatever it takes, for a call that is required', { toolChoice }, 'auto', ['ebnf', 'structural-tag', ...schemas]],
    ['what is cheap, where the model may choose', {}, 'auto', ['structural-tag', 'words']],
    ['all of it there, too, if it is always to be', {}, 'always', ['ebnf', 'structural-tag', 'words']],
    [
      'all of it, beside a form for the answer',
      { responseFormat: format },
      'auto',
      ['ebnf', 'structural-tag', 'words'],
    ],
    ['a beginning at most, if it is never to be', { toolChoice }, 'never', ['prefill', 'words']],
    ['nothing, if it is never to be and the model may choose', {}, 'never', ['words']],
    [
      'a beginning at most, beside a grammar of the client',
      { toolChoice, extra: { grammar: 'x' } },
      'auto',
      ['prefill', 'words'],
    ],
    ['nothing, beside a tag of the client', { responseFormat: { type: 'structural_tag' } }, 'always', ['words']],
  ])('is given %s', async (_, asked, constrain, expected) => {
    expect(kindsOf(await laddered({ ...request(undefined), ...asked }, hermes, all, { constrain }))).toEqual(expected)
  })

  test('is given the same grammar for the same tools, made once', async () => {
    const grammars = createGrammars()
    const settings = defaultSettings('m', [])
    const make = async (tools: readonly Tool[]) =>
      (await forcesOf(request(toolChoice, tools), hermes, all, settings, grammars)[0]?.())?.constraint
    expect(await make([read, write])).toBe(await make([{ ...read, description: 'Reads.' }, { ...write }]))
    expect(await make([read, write])).not.toBe(await make([read]))
  })

  test.each<[string, Capabilities['opensThought'], Partial<Request>, boolean]>([
    ['which its prompts open', 'always', {}, true],
    ['which its prompts open unless told not to', 'usually', {}, true],
    ['unless it is told not to', 'usually', { reasoning: { enabled: false } }, false],
    ['whatever it is told', 'always', { reasoning: { enabled: false } }, true],
    ['which nothing opens', undefined, {}, false],
  ])('may end the thought first %s (%s)', async (_, opensThought, more, isIn) => {
    const force = await surest({ ...request(toolChoice), ...more }, hermes, {
      ...all,
      ...(opensThought && { opensThought }),
    })
    const grammar = force.constraint?.kind === 'ebnf' ? force.constraint.grammar : ''
    expect([grammar.includes('"</think>"'), force.mayThink ?? false]).toEqual([isIn, isIn])
  })
})
