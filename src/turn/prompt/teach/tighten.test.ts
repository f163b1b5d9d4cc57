import { expect, test } from 'vitest'
import { inUsualOrder } from '../../../protocol/message.ts'
import type { Request } from '../../../protocol/request.ts'
import type { Tool } from '../../../protocol/tool.ts'
import { compileParameters } from '../../../schema/compile.ts'
import { tighten } from './tighten.ts'

const long = 'A long story about this one. '.repeat(20)
const tools: readonly Tool[] = ['read', 'write', 'search', 'deploy'].map((name) => ({
  kind: 'function',
  name,
  description: `Does ${name} for you. ${long}`,
  parameters: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    title: name,
    properties: {
      path: { type: 'string', description: long, examples: ['/a', '/b'], pattern: '^/' },
      mode: { enum: Array.from({ length: 40 }, (_, n) => `mode-${n}`), description: 'How' },
      deep: {
        type: 'object',
        properties: {
          inner: { type: 'object', description: long, properties: { x: { type: 'integer', description: long } } },
        },
      },
    },
    required: ['path'],
  },
}))
const size = (list: readonly Tool[]) => Math.ceil(JSON.stringify(list).length / 4)
const request = (more: Partial<Request> = {}): Request => ({
  model: 'm',
  messages: [{ role: 'user', content: 'Hi.' }],
  tools,
  sampling: {},
  extra: {},
  ...more,
})
const namesOf = (list: readonly Tool[]) => list.map(({ name }) => name)
const call = { id: 'a', kind: 'function', name: 'deploy', arguments: '{}' } as const

test('tools within the budget, or without one, are left alone', () => {
  expect(tighten(request(), undefined)).toBe(tools)
  expect(tighten(request(), size(tools))).toBe(tools)
})

test('a tighter budget never gives longer tools, and each fits while it can', () => {
  let last = size(tools)
  for (let budget = size(tools); budget > 300; budget -= 50) {
    const now = size(tighten(request(), budget))
    expect(now).toBeLessThanOrEqual(last)
    expect(now).toBeLessThanOrEqual(budget)
    last = now
  }
})

test('names, types and what is required survive all shortening', () => {
  const tight = tighten(request(), 330)
  expect(namesOf(tight)).toEqual(namesOf(tools))
  const node = compileParameters(tight[0]?.parameters)
  expect([node.properties, node.required]).toEqual([['path', 'mode', 'deep'], ['path']])
  expect(node.property('mode').types).toBe(compileParameters(tools[0]?.parameters).property('mode').types)
})

test('a long list of values is told in words and no longer forbids the rest', () => {
  const tight = tighten(request(), 1_400)
  const text = JSON.stringify(tight[0]?.parameters)
  expect(text).not.toContain('mode-39')
  expect(compileParameters(tight[0]?.parameters).property('mode').values).toBeUndefined()
})

test('it is the same every time', () => {
  for (const budget of [1_500, 800, 400, 100]) {
    expect(tighten(request({ tools: structuredClone(tools) }), budget)).toEqual(tighten(request(), budget))
  }
})

test('tools go last and from the end, but never one that was called or is chosen', () => {
  expect(namesOf(tighten(request(), 100))).toEqual(['read'])
  const called = request({ messages: [{ role: 'assistant', content: inUsualOrder({ calls: [call] }) }] })
  expect(namesOf(tighten(called, 200))).toContain('deploy')
  expect(namesOf(tighten(request({ toolChoice: { mode: 'named', name: 'search' } }), 100))).toContain('search')
  const allowed = request({ toolChoice: { mode: 'allowed', required: false, names: ['write', 'deploy'] } })
  expect(namesOf(tighten(allowed, 1))).toEqual(['write', 'deploy'])
})

test('a conversation that goes on with the same tools keeps the same ones', () => {
  const first = tighten(request(), 250)
  const used = { ...call, name: first[0]?.name ?? '' }
  expect(
    tighten(request({ messages: [{ role: 'assistant', content: inUsualOrder({ calls: [used] }) }] }), 250),
  ).toEqual(first)
})
