import { expect, test } from 'vitest'
import { hear } from '../../../test/engine/hear.ts'
import { hostileTools } from '../../../test/laws/places.ts'
import { dialects, findDialect } from '../../dialects/registry.ts'
import { createReader } from '../reader.ts'
import { Heard } from './heard.ts'

const ping = '<tool_call>{"name": "ping"}</tool_call>'
const example = `Like so:\n\`\`\`\n${ping}\n\`\`\`\n`

test.each([
  ['marks that open nothing', '<tool_call>no\n'],
  ['brackets', '[\n'],
  ['fences', '\n```\n\n```\n'],
  ['fences with a language', 'So:\n```json\n[]\n```\n'],
  ['calls of no tool', '<tool_call>{"name": "nobody", "arguments": {"a": 1}}</tool_call> and\n'],
  ['half a mark', '<tool_cal'],
])('a loop of %s is text, and a call after it is read', (_, unit) => {
  const loop = unit.repeat(99)
  const heard = hear('hermes', `${loop}\nSo.\n${ping}`, { unknownTools: 'text' })
  expect(heard).toMatchObject({ text: `${loop}\nSo.`, calls: ['ping {}'] })
})

test('half a mark that is whole at the end of its loop opens a call', () => {
  const heard = hear('hermes', `${'<tool_cal'.repeat(99)}${ping.slice('<tool_cal'.length)}`)
  expect(heard).toMatchObject({ text: '<tool_cal'.repeat(98), calls: ['ping {}'] })
})

test('what a loop repeats is noted as often as it is said', () => {
  const { text, notes } = hear('hermes', `${example.repeat(50)}Done.`)
  expect(text).toBe(`${example.repeat(50)}Done.`)
  expect(notes).toEqual(Array.from({ length: 50 }, () => 'example'))
})

test('an answer that is cut off in a loop ends in the same way whatever its pieces', () => {
  const fence = '```json\n{"name": "nobody", "arguments": {"path": "a.txt", "from": 3}}\n```\n'
  const text = `\`\`\`json\n{"name": "read_file", "arguments": {"path": "${fence.repeat(9)}`.slice(0, 420)
  expect(hear('json-fence', text, { tools: hostileTools, ends: 'length' })).toMatchObject({ finish: 'length' })
})

test.each([4, 65_536])('a long loop is passed to its end, in pieces of %d', (size) => {
  const text = '<tool_call>"'.repeat(20_000)
  const reader = createReader({
    dialect: findDialect('qwen3-coder'),
    others: dialects,
    tools: hostileTools,
    newId: () => 'id',
  })
  for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size))
  reader.end()
  expect(reader.work / text.length).toBeLessThan(2)
})

test('what is only noted, and never said, is not remembered for ever', () => {
  let heard: Heard | undefined = new Heard()
  for (let count = 0; count < 1000; count++) heard = heard?.with('', (teller) => teller.note('closer_missing'))
  expect(heard).toBeUndefined()
})

test.each(['', 'Hm. ', 'One.\nTwo.'])(
  'a loop of thoughts that say "%s" is thought, and a call after it is read',
  (words) => {
    const loop = `<think>${words}</think>\n\n`.repeat(99)
    const heard = hear('hermes', `${loop}${ping}`)
    expect(heard).toMatchObject({ reasoning: words.trim().repeat(99), text: '', calls: ['ping {}'], notes: [] })
  },
)

test.each([
  ['xlam', '', '[{"name": "read_file", "arguments\n'],
  ['llama3-json', '{"name": "', '{"name": "read_file", "parameter\n'],
])('what is too long to be a call comes out as it was said, in pieces of any size (%s)', (dialect, before, unit) => {
  const text = before + unit.repeat(4000)
  for (const size of [1, 7, 4096, text.length]) {
    const reader = createReader({
      dialect: findDialect(dialect),
      others: dialects,
      tools: hostileTools,
      newId: () => 'id',
    })
    const events = text.match(new RegExp(`.{1,${size}}`, 'gs'))?.flatMap((piece) => reader.push(piece)) ?? []
    const said = [...events, ...reader.end()].map((event) => (event.type === 'text-delta' ? event.text : ''))
    expect(said.join('') === text, `in pieces of ${size}`).toBe(true)
  }
})
