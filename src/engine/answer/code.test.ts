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
