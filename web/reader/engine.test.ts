import { expect, test } from 'vitest'
import { dialectNames, pushesOf, type Reading, read, sampleFor } from './engine.ts'
import { toTools } from './tools.ts'

const tools = toTools(
  '[{"name": "read_file", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}}]',
)
const text = 'Look.\n\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>'
const reading: Reading = { text, tools, dialect: 'hermes', finish: 'stop', cut: 3 }

test('at every place of the slider the answer is a beginning of the whole one', () => {
  const last = pushesOf(reading) + 1
  const whole = read(reading, last)
  expect(whole).toMatchObject({ certain: text.length, tail: undefined, spoken: 'hermes' })
  expect(whole.answer).toMatchObject({ content: 'Look.', finish: 'tool_calls' })
  expect(whole.answer.calls).toMatchObject([{ name: 'read_file', arguments: '{"path": "a"}' }])
  const tails = new Set<string>()
  for (let pushes = 0; pushes <= last; pushes++) {
    const standing = read(reading, pushes)
    expect(text.startsWith(standing.text)).toBe(true)
    expect(standing.certain).toBeLessThanOrEqual(standing.text.length)
    expect('Look.'.startsWith(standing.answer.content)).toBe(true)
    tails.add(standing.tail ?? 'none')
  }
  expect(tails).toEqual(new Set(['none', 'held', 'call']))
})

test('a call the request holds is only repeated', () => {
  const quoted = [{ name: 'read_file', arguments: '{ "path": "a" }' }]
  const { answer, spans } = read({ ...reading, quoted }, 1_000)
  expect(answer.calls).toEqual([])
  expect(spans.some(({ why }) => why === 'echo')).toBe(true)
})

test.each(dialectNames)('the sample of %s holds two calls', (dialect) => {
  const sampleTools = toTools(
    '{"tools": [{"name": "read_file", "parameters": {"type": "object", "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}}}}, {"type": "function", "function": {"name": "search", "parameters": {"type": "object", "properties": {"query": {"type": "string"}, "paths": {"type": "array", "items": {"type": "string"}}}}}}]}',
  )
  const sample = sampleFor(dialect, sampleTools)
  const { answer } = read({ text: sample, tools: sampleTools, dialect, finish: 'stop', cut: 0 }, 5)
  expect(answer.calls.length).toBeGreaterThanOrEqual(1)
})

test.each([
  ['not JSON', '{', /JSON/],
  ['no list', '"read"', 'Expected an array of tools'],
  ['no name', '[{"type": "function"}]', 'Tool 1 has no name.'],
])('tools that are %s are refused', (_what, value, message) => {
  expect(() => toTools(value)).toThrow(message)
})
