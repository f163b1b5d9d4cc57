import { expect, test } from 'vitest'
import type { UpstreamEvent } from '../upstream.ts'
import { createQwenAnswer } from './answer.ts'
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
