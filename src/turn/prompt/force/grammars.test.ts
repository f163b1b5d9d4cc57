import { expect, test } from 'vitest'
import { manyTools } from '../../../../test/constrain/many-tools.ts'
import { findDialect } from '../../../dialects/registry.ts'
import type { Tool } from '../../../protocol/tool.ts'
import { createGrammars } from './grammars.ts'

const hermes = findDialect('hermes')
if (hermes === undefined) throw new Error('there is no hermes')
const dialect = hermes
const toolChoice = { mode: 'required' } as const

function toolsOf(count: number): readonly Tool[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'function',
    name: `tool_${index}`,
    parameters: { type: 'object', properties: { [`path_${index}`]: { type: 'string' } }, required: [`path_${index}`] },
  }))
}

test('while a grammar of many tools is made, others get their turn', async () => {
  let time = 0
  // Every look at the clock takes as long as a slice.
  const grammars = createGrammars(() => {
    time += 10
    return time
  })
  let turns = 0
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await grammars.make({ tools: toolsOf(100), toolChoice }, dialect, 'gbnf', false)
  isDone = true
  expect(turns).toBeGreaterThan(50)
})

test('two who want the same grammar at the same time get one', async () => {
  const grammars = createGrammars()
  const make = () => grammars.make({ tools: toolsOf(3), toolChoice }, dialect, 'ebnf', false)
  const [first, second] = await Promise.all([make(), make()])
  expect(first.constraint).toBe(second.constraint)
})

test.each([
  [3, []],
  [512, ['grammar_coarse']],
])('of %i tools the grammar is told to be coarse or not: %j', async (count, kinds) => {
  const { notes } = await createGrammars().make({ tools: manyTools(count), toolChoice }, dialect, 'ebnf', false)
  expect(notes.map(({ kind }) => kind)).toEqual(kinds)
})

test.each([
  [undefined, '{0,160}'],
  [1_000, '{0,10}'],
])('a thought before a call that is required leaves room for it (%s)', async (maxTokens, times) => {
  const asked = { tools: toolsOf(1), toolChoice, ...(maxTokens !== undefined && { maxTokens }) }
  const { constraint } = await createGrammars().make(asked, dialect, 'gbnf', true)
  expect(constraint).toMatchObject({ grammar: expect.stringContaining(times) })
})

test.each([
  ['hermes', []],
  ['qwen3-coder', ['text of edit']],
])('a custom tool is held to its own grammar where %s can say it, or that is noted', async (name, details) => {
  const grammar = { syntax: 'lark', definition: 'start: "<" start? ">"' }
  const edit: Tool = { kind: 'custom', name: 'edit', format: { type: 'grammar', grammar } }
  const made = await createGrammars().make({ tools: [edit], toolChoice }, findDialect(name) ?? dialect, 'gbnf', false)
  expect(made.notes.map(({ detail }) => detail)).toEqual(details)
})

test('another grammar of a custom tool makes another grammar of its calls', async () => {
  const grammars = createGrammars()
  const make = (definition: string) => {
    const format = { type: 'grammar', grammar: { syntax: 'regex', definition } }
    return grammars.make({ tools: [{ kind: 'custom', name: 'edit', format }], toolChoice }, dialect, 'gbnf', false)
  }
  expect((await make('a+')).constraint).not.toEqual((await make('b+')).constraint)
})
