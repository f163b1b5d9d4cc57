import { expect, test } from 'vitest'
import type { JsonObject } from '../../../protocol/json.ts'
import { editContext } from './context-edits.ts'

/** A turn of calls with results of a thousand characters each; a token has one character here. */
const use = (id: string, name = 'read') => ({ type: 'tool_use', id, name, input: { path: id } })
const result = (id: string, content: unknown = 'x'.repeat(1000)) => ({ type: 'tool_result', tool_use_id: id, content })
const asked = { role: 'user', content: 'Go.' }
const thought = (thinking: string) => ({ type: 'thinking', thinking, signature: '' })
const turn = (id: string, name?: string, content?: unknown) => [
  { role: 'assistant', content: [use(id, name)] },
  { role: 'user', content: [result(id, content)] },
]
const four = [asked, ...['a', 'b', 'c', 'd'].flatMap((id) => turn(id))]
const always = { type: 'tool_uses', value: 0 }

async function edit(messages: readonly unknown[], ...edits: readonly JsonObject[]) {
  const body = { messages, context_management: { edits } } as unknown as JsonObject
  const { body: edited, ...told } = await editContext(body, async (one) => JSON.stringify(one['messages']).length)
  const blocks = (edited['messages'] as typeof four).flatMap(({ content }) =>
    typeof content === 'string' ? [] : (content as readonly Record<string, unknown>[]),
  )
  const cleared = blocks.flatMap((block) =>
    typeof block['content'] === 'string' && block['content'].includes('cleared') ? [block['tool_use_id']] : [],
  )
  const inputs = blocks.flatMap((block) => (block['type'] === 'tool_use' ? [block['input']] : []))
  const thoughts = blocks.flatMap((block) => (block['type'] === 'thinking' ? [block['thinking']] : []))
  return { ...told, cleared, inputs, thoughts, edited }
}

const clear = (more: JsonObject = {}): JsonObject => ({ type: 'clear_tool_uses_20250919', ...more })

test.each<[string, readonly unknown[], JsonObject, readonly string[]]>([
  ['all results but the last three are cleared', four, { trigger: always }, ['a']],
  [
    'as many are kept as the client says',
    four,
    { trigger: always, keep: { type: 'tool_uses', value: 1 } },
    ['a', 'b', 'c'],
  ],
  [
    'none is kept where it says so',
    four,
    { trigger: always, keep: { type: 'tool_uses', value: 0 } },
    ['a', 'b', 'c', 'd'],
  ],
  ['nothing is cleared below 100,000 tokens', four, {}, []],
  ['nothing is cleared below the tokens it names', four, { trigger: { type: 'input_tokens', value: 9000 } }, []],
  ['beyond them it is', four, { trigger: { type: 'input_tokens', value: 3000 } }, ['a']],
  ['nothing is cleared below the calls it names', four, { trigger: { type: 'tool_uses', value: 4 } }, []],
  [
    'tools it excludes keep their results',
    [asked, ...turn('w', 'web'), ...four.slice(1)],
    { trigger: always, exclude_tools: ['web'] },
    ['a'],
  ],
  ['too little is not worth it', four, { trigger: always, clear_at_least: { type: 'input_tokens', value: 5000 } }, []],
  ['enough is', four, { trigger: always, clear_at_least: { type: 'input_tokens', value: 500 } }, ['a']],
  [
    'results that name tools stay: those tools are offered because of them',
    [asked, ...turn('s', 'ToolSearch', [{ type: 'tool_reference', tool_name: 'later' }]), ...four.slice(1)],
    { trigger: always },
    ['a'],
  ],
])('%s', async (_, messages, more, expected) => {
  expect((await edit(messages, clear(more))).cleared).toEqual(expected)
})

test('what was cleared is told', async () => {
  const { applied, originalTokens } = await edit(
    four,
    clear({ trigger: always, keep: { type: 'tool_uses', value: 1 } }),
  )
  expect(applied).toEqual([
    { type: 'clear_tool_uses_20250919', cleared_tool_uses: 3, cleared_input_tokens: expect.any(Number) },
  ])
  const [{ cleared_input_tokens: tokens = 0 } = {}] = applied ?? []
  expect(tokens).toBeGreaterThan(2500)
  expect(originalTokens).toBe(JSON.stringify(four).length)
})

test('the arguments of cleared calls go where that is wanted, of all or of some', async () => {
  const inputs = async (wanted: unknown) =>
    (await edit(four, clear({ trigger: always, clear_tool_inputs: wanted as string[] }))).inputs[0]
  expect(await inputs(undefined)).toEqual({ path: 'a' })
  expect(await inputs(true)).toEqual({})
  expect(await inputs(['read'])).toEqual({})
  expect(await inputs(['write'])).toEqual({ path: 'a' })
})

const pensive = [
  asked,
  { role: 'assistant', content: [thought('1'), use('a')] },
  { role: 'user', content: [result('a')] },
  { role: 'assistant', content: [thought('1b'), { type: 'text', text: 'Done.' }] },
  asked,
  { role: 'assistant', content: [{ type: 'text', text: 'Hm.' }] },
  asked,
  { role: 'assistant', content: [thought('2'), { type: 'text', text: 'Done.' }] },
]

test.each<[string, unknown, readonly string[], readonly unknown[]]>([
  ['all are kept', 'all', ['1', '1b', '2'], []],
  ['those of the last turn are kept', undefined, ['2'], [1]],
  ['those of two turns are kept', { type: 'thinking_turns', value: 2 }, ['1', '1b', '2'], []],
])('of the thoughts of earlier turns, %s', async (_, keep, expected, turns) => {
  const { thoughts, applied } = await edit(pensive, {
    type: 'clear_thinking_20251015',
    ...(keep !== undefined && { keep }),
  } as JsonObject)
  expect(thoughts).toEqual(expected)
  expect(applied?.map((one) => one['cleared_thinking_turns'])).toEqual(turns)
})

test('an unknown edit changes nothing, and nothing is told to who asked for none', async () => {
  const { edited, applied } = await edit(four, { type: 'novelty_2030' })
  expect(edited['messages']).toEqual(four)
  expect(applied).toEqual([])
  expect(await editContext({ messages: [] }, async () => 1)).toEqual({ body: { messages: [] } })
})
