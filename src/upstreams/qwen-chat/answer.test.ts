import { describe, expect, test } from 'vitest'
import type { UpstreamEvent } from '../upstream.ts'
import { createIncrements, createQwenAnswer, createSnapshots } from './answer.ts'
import { classify } from './failures.ts'

function hear(events: readonly string[]): unknown {
  const refused = (body: string) => classify({ upstream: 'qwen', status: 200, body, secrets: [] })
  const answer = createQwenAnswer({ upstream: 'qwen', classify: refused })
  const into: UpstreamEvent[] = []
  try {
    answer.push(new TextEncoder().encode(events.join('')), into)
    answer.end(into)
    return into
  } catch (thrown) {
    return (thrown as Error).message
  }
}

const said = `data: ${JSON.stringify({ choices: [{ delta: { content: 'Hi', phase: 'answer' } }] })}\n\n`

test.each([
  ['a detail', 'data: {"detail":"no such model"}\n\n', 'qwen: no such model'],
  ['a code and words', 'data: {"code":1301,"msg":"no more"}\n\n', 'qwen: no more'],
  ['no success', 'data: {"success":false,"data":{"details":"no more"}}\n\n', 'qwen: no more'],
  ['a named error', 'event: error\ndata: {"message":"it broke"}\n\n', 'qwen: it broke'],
  ['a named error of words', 'event: error\ndata: it broke\n\n', 'qwen: it broke'],
])('%s in the middle of an answer is an error, whatever follows', (_, event, message) => {
  expect(hear([said, event, 'data: [DONE]\n\n'])).toBe(message)
})

const long = 'So much of a beginning does not come again by chance. '

describe('increments', () => {
  test.each<[string, readonly string[], string]>([
    ['pieces', ['a', 'b', 'c'], 'abc'],
    ['the same piece again', ['ha', 'ha', 'ha', 'ha!'], 'hahahaha!'],
    ['one that begins like the first', ['1', '10', '0'], '1100'],
    ['one that begins like the first, at the end', ['1', '10'], '110'],
    ['all each time', ['a', 'ab', 'abc'], 'abc'],
    ['all each time, the last twice', ['a', 'ab', 'abc', 'abc'], 'abc'],
    ['all once more at the end', ['So much of ', long.slice(11), long], long],
    ['all once more and a bit', ['So much of ', long.slice(11), `${long}End.`], `${long}End.`],
    ['empty pieces between', ['a', '', 'b', ''], 'ab'],
    ['nothing', [], ''],
  ])('%s', (_, pieces, whole) => {
    const increments = createIncrements()
    expect(pieces.map((piece) => increments.add(piece)).join('') + increments.end()).toBe(whole)
  })

  test('only a doubtful piece waits', () => {
    const increments = createIncrements()
    expect(['1', '10', '0', '1'].map((piece) => increments.add(piece))).toEqual(['1', '', '100', '1'])
  })
})

test.each<[string, readonly string[], readonly string[]]>([
  ['that grow add their ends', ['a', 'ab', 'ab', 'abc'], ['a', 'b', '', 'c']],
  ['that change are told from there', ['abc', 'axyz'], ['abc', 'xyz']],
  ['that shrink add nothing', ['abc', 'ab', 'abcd'], ['abc', '', 'cd']],
])('snapshots %s', (_, snapshots, added) => {
  const take = createSnapshots()
  expect(snapshots.map(take)).toEqual(added)
})
