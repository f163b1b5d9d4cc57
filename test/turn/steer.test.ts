import { describe, expect, test } from 'vitest'
import { inUsualOrder, type Message, textOf } from '../../src/protocol/message.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { findStuck } from '../../src/turn/answer/watch/stuck.ts'
import { collect, context, createScripted, fold, says, toRequest, turnsOver } from './scripted.ts'

const toolNamed = (name: string): Tool => ({ kind: 'function', name, parameters: { type: 'object' } })
const tools = ['read', 'grep', 'bash', 'edit', 'list', 'fetch', 'status'].map(toolNamed)
const user: Message = { role: 'user', content: 'Do it.' }

type Step = readonly [name: string, json: string, result: string]

let made = 0
function toMessages(steps: readonly Step[], between: readonly Message[] = []): readonly Message[] {
  return steps.flatMap(([name, json, result]): readonly Message[] => {
    const id = `c${++made}`
    const call = { id, kind: 'function' as const, name, arguments: json }
    return [
      { role: 'assistant', content: inUsualOrder({ calls: [call] }) },
      { role: 'tool', callId: id, content: result },
      ...between,
    ]
  })
}

const times = (count: number, of: readonly Step[]): readonly Step[] => Array.from({ length: count }, () => of).flat()
const isStuck = (steps: readonly Step[], between?: readonly Message[]): boolean =>
  findStuck({ messages: [user, ...toMessages(steps, between)], tools }).barred.size > 0

const calls: readonly Step[] = [
  ['read', '{"path": "a.txt"}', 'ENOENT: no such file'],
  ['grep', '{"pattern": "x"}', ''],
  ['bash', '{"command": "npm test"}', '3 failed'],
  ['bash', '{"command": "ls"}', 'a b c'],
  ['edit', '{"path": "a", "old": "x", "new": "y"}', 'old text not found'],
  ['list', '{}', 'a\nb'],
  ['fetch', '{"url": "http://a"}', '404'],
  ['status', '{}', 'ok'],
  ['read', '{"path": "b.txt", "from": 1}', 'line 1'],
  ['grep', '{"pattern": "y", "path": "src"}', 'src/a.ts: y'],
]
const [first, second] = calls as readonly [Step, Step]
const spelt: Step = [first[0], '{"path":"a.txt"}', first[2]]

/** Ten kinds of calls, gone round in five ways. */
const loops: readonly (readonly [string, readonly Step[]])[] = calls.flatMap((call, index) => {
  const other = calls[(index + 1) % calls.length] ?? first
  return [
    ['three times', times(3, [call])],
    ['six times', times(6, [call])],
    ['after honest work', [['edit', '{"n": 1}', 'done'], ...times(3, [call])]],
    ['by turns with another', times(4, [call, other])],
    ['in rounds of three', times(4, [call, other, ['list', `{"n": ${index}}`, 'x']])],
  ] as const
})

/** What looks like a loop and is none, in ten ways, twenty times each. */
const honest: readonly (readonly [string, readonly Step[]])[] = Array.from({ length: 20 }, (_, index) => {
  const [name, json, result] = calls[index % calls.length] ?? first
  const call: Step = [name, json, result]
  const tests: Step = ['bash', '{"command": "npm test"}', '3 failed']
  const edit = (n: number): Step => ['edit', `{"line": ${n + index}}`, 'done']
  const many = (step: (n: number) => readonly Step[]) => Array.from({ length: 5 }, (_one, n) => step(n)).flat()
  return [
    ['once and again', times(2, [call])],
    ['tests after each edit', many((n) => [edit(n), tests])],
    ['results that change', many((n) => [[name, json, `${result} ${n}`]])],
    ['waiting for what runs', times(6, [['status', `{"job": ${index}}`, 'state: running']])],
    ['waiting for what is pending', times(6, [['fetch', '{"url": "/job"}', '{"status": "pending"}']])],
    ['other arguments', many((n) => [['read', `{"from": ${n}}`, result]])],
    ['reading again after an edit', many((n) => [call, edit(n)])],
    ['a second look, then something new', [...times(2, [call]), edit(1), ...times(2, [call])]],
    ['pages', many((n) => [['list', `{"page": ${n}}`, 'more']])],
    ['by turns, twice', times(2, [call, ['list', '{"all": true}', 'x']])],
  ] as const
}).flat()

test('of 50 loops, all are seen', () => {
  expect(loops).toHaveLength(50)
  expect(loops.filter(([, steps]) => !isStuck(steps)).map(([what]) => what)).toEqual([])
})

test('of 200 honest repeats, none is touched', () => {
  expect(honest).toHaveLength(200)
  expect(honest.filter(([, steps]) => isStuck(steps)).map(([what]) => what)).toEqual([])
})

test('spelling, and words an agent sends after each result, make no difference', () => {
  expect(isStuck([first, spelt, first])).toBe(true)
  expect(isStuck(times(3, [first]), [{ role: 'user', content: 'env' }])).toBe(true)
})

test('an answer in words begins anew', () => {
  const before = toMessages(times(2, [first]))
  const after = toMessages([first])
  const spoken: Message = { role: 'assistant', content: 'There is no such file.' }
  expect(findStuck({ messages: [user, ...before, spoken, user, ...after], tools }).barred.size).toBe(0)
})

test('the sentence stands behind the third result, and stays there: the prompt keeps its beginning', () => {
  const steps = times(3, [first])
  const early = [user, ...toMessages(steps)]
  const late = [...early, ...toMessages([second])]
  const told = findStuck({ messages: early, tools }).messages
  expect(textOf(told.at(-1)?.content ?? '')).toMatch(/^ENOENT[\s\S]*third time[\s\S]*Not tried yet: grep, bash, edit/)
  expect(findStuck({ messages: late, tools }).messages.slice(0, early.length)).toEqual(told)
})

describe.each(['native', 'prompt'] as const)('the same call once more, in mode %s', (way) => {
  const say = ([name, json]: Step) =>
    way === 'prompt'
      ? says(`Once more.\n<tool_call>\n{"name": "${name}", "arguments": ${json}}\n</tool_call>`, 7)
      : ([
          [{ type: 'text', text: 'Once more.' }],
          [{ type: 'call', index: 0, id: 'n0', name, json }],
          [{ type: 'finish', reason: 'tool_calls' }],
        ] as const)
  const ask = async (scripts: Parameters<typeof createScripted>[0], steps: readonly Step[]) => {
    const upstream = createScripted(scripts)
    const turns = turnsOver(upstream, { dialect: 'hermes', tools: way, loop: 'steer' })
    const request = toRequest([user, ...toMessages(steps)], { tools })
    return { asked: upstream.asked, ...fold(await collect(await turns.start(request, context))) }
  }

  test('is not made: the model is asked for something else, and that follows', async () => {
    const { asked, calls: done, text, finish, notes } = await ask([say(first), say(second)], times(3, [first]))
    expect(done.map(({ name }) => name)).toEqual(['grep'])
    expect({ text: text.trim(), finish, asked: asked.length }).toEqual({
      text: 'Once more.',
      finish: 'tool_calls',
      asked: 2,
    })
    expect(notes).toEqual(expect.arrayContaining(['loop', 'loop_stopped', 'persisted']))
  })

  test('a model that has nothing else to do ends in text', async () => {
    const { asked, calls: done, text, finish } = await ask([say(first), say(first), say(first)], times(3, [first]))
    expect({ done, text: text.trim(), finish, asked: asked.length }).toEqual({
      done: [],
      text: 'Once more.',
      finish: 'stop',
      asked: 2,
    })
  })

  test('the same tool with other arguments is another call', async () => {
    const { calls: done, asked } = await ask([say(['read', '{"path": "b.txt"}', ''])], times(3, [first]))
    expect([done.length, asked.length]).toEqual([1, 1])
  })

  test('before it is stuck, nothing is held or said', async () => {
    const { asked, calls: done } = await ask([say(first)], times(2, [first]))
    expect([done.length, asked.length]).toEqual([1, 1])
    expect(JSON.stringify(asked[0]?.messages)).not.toContain('third time')
  })
})
