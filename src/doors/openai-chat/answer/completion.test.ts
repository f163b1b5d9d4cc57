import { expect, test } from 'vitest'
import { GatewayError } from '../../../errors.ts'
import type { Event } from '../../../protocol/event.ts'
import type { Manner } from './completion.ts'
import { printCompletion, quirksOf } from './completion.ts'

const identity = { id: 'chatcmpl-abc123', created: 1234567890, model: 'qwen3-max' }
const plain: Manner = { includeUsage: false, legacyFunctions: false, customTools: new Set(), quirks: quirksOf('') }
const args = '{"filePath":"/home/user/project/package.json"}'
const call: readonly Event[] = [
  { type: 'call-start', index: 0, id: 'call_1', name: 'read' },
  { type: 'call-delta', index: 0, json: args.slice(0, 9) },
  { type: 'call-delta', index: 0, json: args.slice(9) },
  { type: 'call-end', index: 0 },
]
const say = (text: string): Event => ({ type: 'text-delta', text })
const finish = (reason: 'stop' | 'tool_calls' | 'length'): Event => ({ type: 'finish', reason })
const usage: Event = { type: 'usage', promptTokens: 150, completionTokens: 45, cachedTokens: 100, reasoningTokens: 4 }

const complete = (events: readonly Event[], manner: Partial<Manner> = {}) =>
  JSON.parse(printCompletion(identity, [events], { ...plain, ...manner }))
const choice = (events: readonly Event[], manner: Partial<Manner> = {}) => complete(events, manner).choices[0]

test('text and a call make one completion', () => {
  const text = "I'll read the package.json file to see the dependencies."
  expect(complete([say(text), ...call, usage, finish('tool_calls')])).toEqual({
    id: 'chatcmpl-abc123',
    object: 'chat.completion',
    created: 1234567890,
    model: 'qwen3-max',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text,
          refusal: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: args } }],
        },
        logprobs: null,
        finish_reason: 'tool_calls',
      },
    ],
    usage: {
      prompt_tokens: 150,
      completion_tokens: 45,
      total_tokens: 195,
      prompt_tokens_details: { cached_tokens: 100 },
      completion_tokens_details: { reasoning_tokens: 4 },
    },
  })
})

test('an answer in words has no tool_calls key', () => {
  expect(choice([say('Five dependencies.'), finish('tool_calls')])).toEqual({
    index: 0,
    message: { role: 'assistant', content: 'Five dependencies.', refusal: null },
    logprobs: null,
    finish_reason: 'stop',
  })
})

test('a call and no words has null for content, an empty answer an empty string', () => {
  expect(choice([...call, finish('stop')])).toMatchObject({ message: { content: null }, finish_reason: 'tool_calls' })
  expect(choice([finish('stop')])).toMatchObject({ message: { content: '' }, finish_reason: 'stop' })
})

test('reasoning has its own field', () => {
  const events: readonly Event[] = [{ type: 'reasoning-delta', text: 'hm' }, say('x'), finish('stop')]
  expect(choice(events).message).toEqual({
    role: 'assistant',
    content: 'x',
    refusal: null,
    reasoning_content: 'hm',
    reasoning: 'hm',
  })
})

test('a custom tool is called with its text', () => {
  const message = choice([...call, finish('tool_calls')], { customTools: new Set(['read']) }).message
  expect(message.tool_calls).toEqual([{ id: 'call_1', type: 'custom', custom: { name: 'read', input: args } }])
})

test('the older functions are answered as function_call', () => {
  const { message, finish_reason } = choice([...call, finish('tool_calls')], { legacyFunctions: true })
  expect(message).toEqual({
    role: 'assistant',
    content: null,
    refusal: null,
    function_call: { name: 'read', arguments: args },
  })
  expect(finish_reason).toBe('function_call')
})

test('older Cline gets call_id beside the id', () => {
  const message = choice([...call, finish('tool_calls')], { quirks: quirksOf('Cline/3.82.0') }).message
  expect(message.tool_calls[0]).toMatchObject({ id: 'call_1', call_id: 'call_1' })
})

test('a call cut off is text again, and the reason stays length', () => {
  const events: readonly Event[] = [
    ...call.slice(0, 2),
    { type: 'call-error', index: 0, raw: '<read>\n<filePath>/ho', reason: 'cut off' },
    finish('length'),
  ]
  expect(choice(events)).toMatchObject({ message: { content: '<read>\n<filePath>/ho' }, finish_reason: 'length' })
  expect(choice(events).message).not.toHaveProperty('tool_calls')
})

test('an answer that never finished is a failure', () => {
  expect(() => complete([say('x')])).toThrow(GatewayError)
})

test('several choices are numbered and their usage summed', () => {
  const one: readonly Event[] = [say('a'), usage, finish('stop')]
  const body = JSON.parse(printCompletion(identity, [one, one], plain))
  expect(body.choices.map(({ index }: { index: number }) => index)).toEqual([0, 1])
  expect(body.usage).toMatchObject({ prompt_tokens: 300, completion_tokens: 90, total_tokens: 390 })
})
