import { describe, expect, test } from 'vitest'
import { hear } from '../../../test/engine/hear.ts'
import { dialects, findDialect } from '../../dialects/registry.ts'
import { createReader } from '../reader.ts'

const ping = '<tool_call>{"name": "ping"}</tool_call>'
/** Its own fence would end, or begin, another. */
const fenced = '<｜tool▁call▁begin｜>function<｜tool▁sep｜>ping\n```json\n{}\n```<｜tool▁call▁end｜>'

describe('a fence after one that led to nothing', () => {
  test.each([
    ['as long', `\`\`\`\n${ping}\nWords.\n\`\`\`\n\`\`\`\n${ping}\n\`\`\``, 1],
    ['longer', `\`\`\`\n${ping}\nWords.\n\`\`\`\n\`\`\`\`\n${ping}\n\`\`\`\``, 1],
    ['around the rest', `\`\`\`\`\n${fenced}\n\`\`\`\n`, 0],
    ['that is never closed', `\`\`\`\n${fenced}\n${fenced}`, 2],
    ['that is never closed, with words', `\`\`\`\n${fenced}\n${fenced}\nWords.`, 0],
  ])('%s', (_, text, calls) => {
    expect(hear('hermes', text).calls).toHaveLength(calls)
  })
})

test('calls in a fence that never ends are read once, not for every fence in them', () => {
  const work = (count: number): number => {
    const text = `Some text.\n\`\`\`\n${`${fenced}\n`.repeat(count)}`
    const reader = createReader({ dialect: findDialect('hermes'), others: dialects, tools: [], newId: () => 'id' })
    reader.push(text)
    reader.end()
    return reader.work / text.length
  }
  expect(work(400)).toBeLessThan(4)
})

test('a message to the user in a fence is code, like a call that is none', () => {
  const code = '```\n<|start|>assistant<|channel|>final<|message|>hi<|end|>\n```'
  expect(hear('harmony', code)).toMatchObject({ calls: [], text: code, notes: [] })
})

const info = 'a'.repeat(64)

test.each([
  ['of tildes', `~~~\n${ping}\n~~~`, 1, ''],
  ['that is never closed', `\`\`\`\n${ping}`, 1, ''],
  ['that is closed further in', `\`\`\`\n${ping}\n  \`\`\``, 1, ''],
  ['around two, and one behind it', `\`\`\`\n${ping}\n\n${ping}\n\`\`\`\n${ping}`, 3, ''],
  ['with much behind its ticks', `\`\`\`${info}\n${ping}\n\`\`\``, 1, ''],
  ['with too much behind its ticks', `\`\`\`${info}a\n${ping}\n\`\`\``, 0, `\`\`\`${info}a\n${ping}\n\`\`\``],
  ['before it', `\`\`\`\ncode\n\`\`\`\n${ping}`, 1, '```\ncode\n```'],
  ['before it, closed by a longer one', `\`\`\`\ncode\n\`\`\`\`\n${ping}`, 1, '```\ncode\n````'],
  ['around code, too', `\`\`\`\ncode \`\`\`\n${ping}\n\`\`\`\nx`, 0, `\`\`\`\ncode \`\`\`\n${ping}\n\`\`\`\nx`],
  [
    'longer than one in it',
    `\`\`\`\`\ncode\n\`\`\`\n${ping}\n\`\`\`\`\nx`,
    0,
    `\`\`\`\`\ncode\n\`\`\`\n${ping}\n\`\`\`\`\nx`,
  ],
  ['of tildes longer than one in it', `~~~~\n${ping}\n~~~\n~~~~`, 0, `~~~~\n${ping}\n~~~\n~~~~`],
  ['of tildes with words behind it', `~~~\n${ping}\n~~~\nx`, 0, `~~~\n${ping}\n~~~\nx`],
  ['of tildes in a line', `a ~~~${ping}~~~`, 1, 'a ~~~~~~'],
])('a call and a fence %s', (_, said, count, text) => {
  expect(hear('hermes', said)).toMatchObject({ calls: Array(count).fill('ping {}'), text })
})

test.each([
  ['between two ticks on each side', `\`\`${ping}\`\` x`, 0, `\`\`${ping}\`\` x`],
  ['between ticks, other ticks between them', `\`a \`\` ${ping}\` x`, 0, `\`a \`\` ${ping}\` x`],
  ['on the line after a tick', `\`a\n${ping}`, 1, '`a'],
])('a call %s', (_, said, count, text) => {
  expect(hear('hermes', said)).toMatchObject({ calls: Array(count).fill('ping {}'), text, notes: [] })
})

test('a fence that is not closed where the length ran out is code', () => {
  const text = `\`\`\`\n${ping}`
  expect(hear('hermes', text, { ends: 'length' })).toMatchObject({ calls: [], text, notes: [], finish: 'length' })
})
