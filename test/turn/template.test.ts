import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../src/errors.ts'
import { inUsualOrder, type Message, textOf } from '../../src/protocol/message.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { isTemplateFailure } from '../../src/turn/prompt/history/template.ts'
import type { Upstream, UpstreamRequest } from '../../src/upstreams/upstream.ts'
import { collect, context, fold, toRequest, turnsOver } from './scripted.ts'

const read: Tool = { kind: 'function', name: 'read' }

/** What services say when a template refuses a conversation. */
const refusals: readonly (readonly [code: 'upstream_rejected' | 'upstream_error', message: string])[] = [
  ['upstream_rejected', 'System role not supported'],
  ['upstream_rejected', 'Conversation roles must alternate user/assistant/user/assistant/...'],
  [
    'upstream_rejected',
    'After the optional system message, conversation roles must alternate user and assistant roles',
  ],
  ['upstream_rejected', 'Only user and assistant roles are supported!'],
  ['upstream_rejected', 'System message must be at the beginning.'],
  ['upstream_rejected', 'No user query found in messages.'],
  ['upstream_rejected', 'Unexpected message role.'],
  ['upstream_rejected', 'Message has tool role, but there was no previous assistant message with a tool call!'],
  ['upstream_rejected', 'This model only supports single tool-calls at once!'],
  ['upstream_rejected', "Cannot put tools in the first user message when there's no first user message!"],
  ['upstream_error', 'Jinja Exception: Conversation roles must alternate'],
]

test.each(refusals)('%s "%s" is a refusal of the form', (code, message) => {
  expect(isTemplateFailure(new GatewayError(code, `local: ${message}`))).toBe(true)
})

test.each([
  new GatewayError('upstream_rejected', 'max_tokens is too large'),
  new GatewayError('context_length_exceeded', 'the roles must alternate in fewer tokens'),
  new GatewayError('upstream_rejected', 'chat template has no tools', { param: 'tools' }),
  new Error('System role not supported'),
])('%s is none', (thrown) => {
  expect(isTemplateFailure(thrown)).toBe(false)
})

type Rule = (messages: readonly Message[]) => string | undefined

const noSystem: Rule = (messages) =>
  messages.some(({ role }) => role === 'system') ? 'System role not supported' : undefined
const alternating: Rule = (messages) => {
  const spoken = messages.filter(({ role }) => role !== 'system')
  const odd = spoken.some(({ role }, place) => role !== (place % 2 === 0 ? 'user' : 'assistant'))
  return odd || spoken.length % 2 === 0 ? 'Conversation roles must alternate user/assistant' : undefined
}
const oneMessage: Rule = (messages) => (messages.length > 1 ? 'Unexpected message role.' : undefined)
const systemFirst: Rule = (messages) =>
  messages.some(({ role }, place) => role === 'system' && place > 0)
    ? 'System message must be at the beginning.'
    : undefined
const noTools: Rule = (messages) =>
  messages.some(({ role }) => role === 'tool') ? 'Unexpected message role.' : undefined

/** A service whose template has rules. */
function createTemplated(rules: readonly Rule[], nativeTools: 'yes' | 'no') {
  const asked: UpstreamRequest[] = []
  const upstream: Upstream = {
    name: 'templated',
    kind: 'scripted',
    async *chat(request) {
      asked.push(request)
      for (const rule of rules) {
        const refusal = rule(request.messages)
        if (refusal !== undefined) throw new GatewayError('upstream_rejected', refusal)
      }
      yield [{ type: 'text', text: 'Hello.' }]
      yield [{ type: 'finish', reason: 'stop' }]
    },
    models: async () => [],
    probe: async () => ({ nativeTools }),
    close: async () => undefined,
  }
  return { upstream, asked }
}

const history: readonly Message[] = [
  { role: 'system', content: 'Be kind.' },
  { role: 'assistant', content: 'Welcome.' },
  { role: 'user', content: 'First.' },
  { role: 'user', content: 'Second.' },
  { role: 'system', content: 'Be brief.' },
  {
    role: 'assistant',
    content: inUsualOrder({ content: 'Look.', calls: [{ id: 'a', kind: 'function', name: 'read', arguments: '{}' }] }),
  },
  { role: 'tool', callId: 'a', content: 'A file.' },
]
const plain = history.slice(0, 5)

describe.each([
  ['no system role', [noSystem], 'no', 'no-system-message'],
  ['strict alternation', [noSystem, alternating], 'no', 'no-system-message'],
  ['one message only', [oneMessage], 'no', 'one-message'],
  ['no tool role, natively', [noTools], 'yes', 'prompt'],
  ['the system first, natively', [systemFirst], 'yes', 'one-system-message'],
] as const)('a template with %s', (_, rules, nativeTools, rung) => {
  test('is given a form it takes, which is remembered', async () => {
    const { upstream, asked } = createTemplated(rules, nativeTools)
    const turns = turnsOver(upstream, { dialect: 'hermes' })
    const request = toRequest(history, { tools: [read] })
    const first = await turns.start(request, context)
    const { text, notes } = fold(await collect(first))
    expect(text).toBe('Hello.')
    expect(notes).toContain('template_fallback')
    const tries = asked.length
    expect(tries).toBeGreaterThan(1)
    const words =
      asked
        .at(-1)
        ?.messages.map(({ content }) => textOf(content))
        .join('\n') ?? ''
    for (const said of ['Be kind.', 'Be brief.', 'Welcome.', 'First.', 'Second.', 'Look.', 'A file.'])
      expect(words).toContain(said)
    const again = await turns.start(request, context)
    const events = await collect(again)
    expect(events).toContainEqual({ type: 'note', kind: 'template_fallback', detail: rung })
    expect(asked.length - tries).toBe(1)
  })
})

test.each([
  ['no system role', [noSystem]],
  ['the system first', [systemFirst]],
  ['strict alternation', [noSystem, alternating]],
  ['one message only', [oneMessage]],
] as const)('a request without tools gets along with %s', async (_, rules) => {
  const { upstream } = createTemplated(rules, 'no')
  const turn = await turnsOver(upstream).start(toRequest(plain), context)
  expect(fold(await collect(turn)).text).toBe('Hello.')
})

test('a template that wants the user last is given a user', async () => {
  const { upstream, asked } = createTemplated([noSystem, alternating], 'no')
  const messages: readonly Message[] = [...plain, { role: 'assistant', content: 'And so' }]
  const events = await collect(await turnsOver(upstream).start(toRequest(messages), context))
  expect(events).toContainEqual({ type: 'note', kind: 'template_fallback', detail: 'alternating' })
  expect(asked.at(-1)?.messages.at(-1)).toEqual({ role: 'user', content: '(continue)' })
})

test('a request without tools goes as it is when nothing is refused', async () => {
  const { upstream, asked } = createTemplated([], 'no')
  await collect(await turnsOver(upstream).start(toRequest(plain), context))
  expect(asked[0]?.messages).toBe(plain)
})

test('what suits no form is refused with the first reason, after each form once', async () => {
  const never: Rule = () => 'Unexpected message role.'
  const { upstream, asked } = createTemplated([noSystem, never], 'no')
  await expect(turnsOver(upstream).start(toRequest(plain), context)).rejects.toThrow('System role not supported')
  expect(asked).toHaveLength(5)
})

test('settings that fit cost no second try', async () => {
  const { upstream, asked } = createTemplated([noSystem, alternating], 'no')
  const turns = turnsOver(upstream, { dialect: 'hermes', template: { system: false, alternate: true } })
  await collect(await turns.start(toRequest(history, { tools: [read] }), context))
  await collect(await turns.start(toRequest(plain), context))
  expect(asked).toHaveLength(2)
})

test('a service that refuses tools is taught them, and not asked natively again', async () => {
  const { upstream, asked } = createTemplated([], 'yes')
  const refusing: Upstream = {
    ...upstream,
    async *chat(request, signal) {
      if (request.tools.length > 0) {
        asked.push(request)
        throw new GatewayError('upstream_rejected', 'this model does not support tools', { param: 'tools' })
      }
      yield* upstream.chat(request, signal)
    },
  }
  const turns = turnsOver(refusing, { dialect: 'hermes' })
  const turn = await turns.start(toRequest('Hi.', { tools: [read] }), context)
  expect(turn.plan).toMatchObject({ mode: 'prompt', dialect: 'hermes' })
  expect(asked.map(({ tools }) => tools.length)).toEqual([1, 0])
  await turns.start(toRequest('Hi.', { tools: [read] }), context)
  expect(asked.map(({ tools }) => tools.length)).toEqual([1, 0, 0])
  const strict = turnsOver(refusing, { dialect: 'hermes', tools: 'native' })
  await expect(strict.start(toRequest('Hi.', { tools: [read] }), context)).rejects.toThrow('does not support tools')
})
