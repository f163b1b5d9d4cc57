import { expect, test } from 'vitest'
import type { Call } from '../../src/protocol/call.ts'
import {
  type AssistantMessage,
  callsOf,
  inUsualOrder,
  type Message,
  mapCalls,
  type Spoken,
  textOf,
} from '../../src/protocol/message.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import type { QwenMessage } from '../doubles/qwen-chat.ts'
import { createSharedSessions, read, result, startStage, summarise, user } from './stage.ts'

/** Says how many messages it can see and what the last one was: only the right chain gives the right words. */
function recall(chain: readonly QwenMessage[]): string {
  return `${chain.length}: ${chain.at(-1)?.content.split('\n').at(-1)}`
}

const readLines: Tool = {
  ...read,
  parameters: { type: 'object', properties: { filePath: { type: 'string' }, limit: { type: 'number' } } },
}

const sessions = () => ({ sessions: createSharedSessions() })

test('what is new goes under the answer before it, and the model sees all of the conversation', async () => {
  const stage = await startStage({ answer: recall, ...sessions() })
  const first = await stage.ask([user('one')])
  const second = await stage.ask([user('one'), first, user('two')])
  const third = await stage.ask([user('one'), first, user('two'), second, user('three')])
  expect([first, second, third].map(({ content }) => content)).toEqual(['1: one', '3: two', '5: three'])
  expect(stage.double.chats.size).toBe(1)
})

test('hung on the other id, the model does not see its own answers: this is what the double is for', async () => {
  const stage = await startStage({ answer: recall, ...sessions(), parent: 'parent_id' })
  const first = await stage.ask([user('one')])
  expect(await stage.ask([user('one'), first, user('two')])).toMatchObject({ content: '2: two' })
})

test('all results of parallel calls are sent, in the order of the calls', async () => {
  const calls = ['/a', '/b'].map(
    (path) => `<tool_call>\n{"name": "read", "arguments": {"filePath": "${path}"}}\n</tool_call>`,
  )
  const stage = await startStage({
    answer: (chain) => (chain.length === 1 ? `Both.\n${calls.join('\n')}` : recall(chain)),
    ...sessions(),
  })
  const { ask } = stage.open({}, { dialect: 'hermes' })
  const asking = await ask([user('Read both.')], { tools: [read] })
  const [first = '', second = ''] = callsOf(asking).map(({ id }) => id)
  await ask([user('Read both.'), asking, result(second, 'BBB'), result(first, 'AAA'), user('And?')], { tools: [read] })
  const sent = summarise(stage.double.questions.at(-1)?.body ?? {})
  expect(sent).toMatchObject({ chat: 'chat-1', parent: 'response-3' })
  expect(sent.content).toMatch(/^<tool_response>[\s\S]*AAA[\s\S]*BBB[\s\S]*And\?$/)
})

const spellings: readonly (readonly [string, (message: AssistantMessage) => AssistantMessage])[] = [
  ['as it was', (message) => message],
  ['with spaces in the arguments', (message) => withArguments(message, '{ "filePath" : "/a" , "limit":5}')],
  ['with its arguments in another order', (message) => withArguments(message, '{"limit":5,"filePath":"/a"}')],
  ['with another id', (message) => mapCalls(message, (call) => ({ ...call, id: 'mine' }))],
  [
    'with blank lines around its text',
    (message) => withPieces(message, (said, calls) => [text(`${said}\n\n`), ...calls]),
  ],
  ['in parts', (message) => withPieces(message, (said, calls) => [text(''), text(said), ...calls])],
  ['with its thoughts', (message) => withPieces(message, (said, calls) => [thought, text(said), ...calls])],
  ['with its call before its words', (message) => withPieces(message, (said, calls) => [...calls, text(said)])],
]
const text = (said: string): Spoken => ({ type: 'text', text: said })
const thought: Spoken = { type: 'thought', text: 'Hm.' }

function withPieces(
  message: AssistantMessage,
  arrange: (said: string, calls: readonly Spoken[]) => readonly Spoken[],
): AssistantMessage {
  const calls = callsOf(message).map((call): Spoken => ({ type: 'call', call }))
  return { ...message, content: arrange(textOf(message.content), calls) }
}

const saidIn = {
  'roo-xml': 'Looking.\n<read>\n  <filePath>/a</filePath>\n<limit> 5 </limit></read>\n',
  hermes: 'Looking.\n<tool_call>{"arguments": {"filePath": "/a", "limit": 5,}, "name": "read"}</tool_call>',
  'kimi-k2':
    'Looking.<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"filePath": "/a", "limit":5}<|tool_call_end|><|tool_calls_section_end|>',
}

test.each(
  Object.entries(saidIn).flatMap(([dialect, said]) =>
    spellings.map(([name, respell]) => ({ dialect, said, name, respell })),
  ),
)('an answer in $dialect that the client sends back $name is the same answer', async ({ dialect, said, respell }) => {
  const stage = await startStage({ answer: (chain) => (chain.length === 1 ? said : 'Done.'), ...sessions() })
  const { ask } = stage.open({}, { dialect })
  const tools = [readLines]
  const answer = respell(await ask([user('Read.')], { tools }))
  expect(callsOf(answer)).toHaveLength(1)
  await ask([user('Read.'), answer, result(callsOf(answer)[0]?.id ?? '', 'AAA')], { tools })
  expect(summarise(stage.double.questions.at(-1)?.body ?? {})).toMatchObject({ chat: 'chat-1', parent: 'response-3' })
})

test.each<[string, (said: AssistantMessage) => readonly Message[], string]>([
  ['another word in the question', (said) => [user('One!'), said, user('two')], 'One!'],
  ['another word in the answer', (said) => [user('one'), { ...said, content: 'Mine' }, user('two')], 'Mine'],
  ['another call', (said) => [user('one'), withCall(said), result('x', 'AAA')], 'AAA'],
  [
    'a system message',
    (said) => [{ role: 'system', content: 'Be brief.' }, user('one'), said, user('two')],
    'Be brief.',
  ],
])('%s is another conversation and replayed whole', async (_, edit, word) => {
  const stage = await startStage({ answer: recall, ...sessions() })
  const said = await stage.ask([user('one')])
  await stage.ask(edit(said))
  const sent = summarise(stage.double.questions.at(-1)?.body ?? {})
  expect(sent).toMatchObject({ parent: null })
  expect(sent.chat).not.toBe('chat-1')
  expect(sent.content).toContain(word)
  expect(sent.content).toContain('[Assistant]')
})

test('other tools are another conversation', async () => {
  const stage = await startStage({ answer: recall, ...sessions() })
  const said = await stage.ask([user('one')], { tools: [read] })
  await stage.ask([user('one'), said, user('two')], { tools: [{ ...read, description: 'Read two files' }] })
  expect(summarise(stage.double.questions.at(-1)?.body ?? {})).toMatchObject({ parent: null })
})

test('a follow-up without tools goes on in the same chat, with the new words and nothing else', async () => {
  const said = 'Looking.\n<read>\n<filePath>/a</filePath>\n</read>'
  const stage = await startStage({ answer: (chain) => (chain.length === 1 ? said : recall(chain)), ...sessions() })
  const question = user('What is in <read>? Mind the <tool_call> there.')
  const system: Message = { role: 'system', content: 'Be brief.' }
  const answer = await stage.ask([system, question], { tools: [read] })
  const history = [system, question, answer, result(callsOf(answer)[0]?.id ?? '', 'AAA')]
  const second = await stage.ask(history)
  expect(summarise(stage.double.questions.at(-1)?.body ?? {})).toEqual({
    chat: 'chat-1',
    parent: 'response-3',
    content: 'Tool Result from read:\nAAA',
  })
  expect(second.content).toBe('3: AAA')
  // Neither does the way back to tools that were taught there need another chat.
  const third = await stage.ask([...history, second, user('More.')], { tools: [read] })
  expect(third.content).toBe('5: More.')
  const fourth = await stage.ask([...history, second, user('More.'), third, user('No more.')], {
    tools: [read],
    toolChoice: { mode: 'none' },
  })
  expect(fourth.content).toBe('7: No more.')
  expect(stage.double.chats.size).toBe(1)
})

test.each([[[]], [[read]]])('an empty answer in between loses nothing of what was asked around it', async (tools) => {
  const stage = await startStage({ answer: recall, ...sessions() })
  const first = await stage.ask([user('one')], { tools })
  const empty: Message = { role: 'assistant', content: '' }
  await stage.ask([user('one'), first, user('two'), empty, user('three')], { tools })
  expect(summarise(stage.double.questions.at(-1)?.body ?? {})).toEqual({
    chat: 'chat-1',
    parent: 'response-3',
    content: 'two\n\nthree',
  })
})

test('a follow-up without tools goes on in the same chat, though no tool was called', async () => {
  const stage = await startStage({ answer: recall, ...sessions() })
  const first = await stage.ask([user('one')], { tools: [read] })
  expect(await stage.ask([user('one'), first, user('two')])).toMatchObject({ content: '3: two' })
})

test.each<[string, object, object]>([
  ['tools the chat was never taught', {}, { tools: [read] }],
  ['a wish the chat was never told', { tools: [read] }, { tools: [read], toolChoice: { mode: 'required' } }],
])('%s are told in a chat of their own', async (_, before, after) => {
  const stage = await startStage({ answer: recall, ...sessions() })
  const first = await stage.ask([user('one')], before)
  await stage.ask([user('one'), first, user('two')], after)
  expect(summarise(stage.double.questions.at(-1)?.body ?? {})).toMatchObject({
    parent: null,
    content: expect.stringContaining('[Assistant]'),
  })
})

test('an edited last message and a second answer to the same question branch off the answer before', async () => {
  const stage = await startStage({ answer: recall, ...sessions() })
  const first = await stage.ask([user('one')])
  const answers = [
    await stage.ask([user('one'), first, user('two')]),
    await stage.ask([user('one'), first, user('two')]),
    await stage.ask([user('one'), first, user('zwei')]),
  ]
  expect(answers.map(({ content }) => content)).toEqual(['3: two', '3: two', '3: zwei'])
  const parents = stage.double.questions.slice(1).map(({ body }) => summarise(body))
  expect(parents.map(({ chat, parent }) => [chat, parent])).toEqual(Array(3).fill(['chat-1', 'response-3']))
})

test('two clients who begin with the same words have two chats, by key or by the name of the conversation', async () => {
  const stage = await startStage({ answer: recall, ...sessions() })
  const whos = [{ client: 'ada' }, { client: 'bob' }, { client: 'ada', conversation: 'c2' }]
  const firsts = []
  for (const who of whos) firsts.push(await stage.ask([user('hi')], who))
  for (const [index, who] of whos.entries()) {
    const first = firsts[index] as AssistantMessage
    expect(await stage.ask([user('hi'), first, user(`I am ${index}`)], who)).toMatchObject({
      content: `3: I am ${index}`,
    })
  }
  const chats = stage.double.questions.map(({ body }) => body['chat_id'])
  expect(chats.slice(3)).toEqual(chats.slice(0, 3))
  expect(new Set(chats).size).toBe(3)
  for (const messages of stage.double.chats.values()) expect(messages.size).toBe(4)
})

test('the key of the client may be the token', async () => {
  const stage = await startStage({ answer: recall, key: 'passthrough' })
  await stage.ask([user('hi')], { clientKey: 'token-of-bob' })
  expect(stage.double.requests.map(({ headers }) => headers.authorization)).toEqual(
    Array(2).fill('Bearer token-of-bob'),
  )
  await expect(stage.ask([user('hi')], { clientKey: 'stranger' })).rejects.toMatchObject({
    code: 'upstream_auth',
    status: 401,
  })
  await expect(stage.ask([user('hi')])).rejects.toMatchObject({ code: 'upstream_auth' })
})

test('after a restart that forgot everything the conversation is replayed whole, and then continued', async () => {
  const stage = await startStage({ answer: recall, ...sessions() })
  const first = await stage.ask([user('one')])
  const again = stage.open(sessions())
  const history = [user('one'), first, user('two')]
  const second = await again.ask(history)
  expect(summarise(stage.double.questions.at(-1)?.body ?? {})).toEqual({
    chat: 'chat-4',
    parent: null,
    content:
      'This is our conversation so far:\n\n[User]\none\n\n[Assistant]\n1: one\n\n[User]\ntwo\n\nNow give your answer to the last message, as the assistant and without a label.',
  })
  await again.ask([...history, second, user('three')])
  expect(summarise(stage.double.questions.at(-1)?.body ?? {})).toMatchObject({ chat: 'chat-4', content: 'three' })
})

test('after a restart with a shared store it is continued', async () => {
  const shared = sessions()
  const stage = await startStage({ answer: recall, ...shared })
  const first = await stage.ask([user('one')])
  expect(await stage.open(shared).ask([user('one'), first, user('two')])).toMatchObject({ content: '3: two' })
})

test('a chat that was deleted is rebuilt with everything in it', async () => {
  const stage = await startStage({ answer: recall, ...sessions() })
  const first = await stage.ask([user('one')])
  stage.double.deleteChat('chat-1')
  const history = [user('one'), first, user('two')]
  const second = await stage.ask(history)
  const [, refused, rebuilt] = stage.double.questions.map(({ body }) => summarise(body))
  expect([refused?.chat, rebuilt?.parent]).toEqual(['chat-1', null])
  expect(rebuilt?.content).toContain('[User]\none\n\n[Assistant]\n1: one\n\n[User]\ntwo')
  expect(await stage.ask([...history, second, user('three')])).toMatchObject({ content: '3: three' })
})

test('a chat that is busy is asked again, the same one, after one, two and four seconds', async () => {
  const stage = await startStage({ answer: recall, ...sessions() })
  const first = await stage.ask([user('one')])
  stage.double.fail('in-progress', 'in-progress', 'in-progress')
  expect(await stage.ask([user('one'), first, user('two')])).toMatchObject({ content: '3: two' })
  expect(stage.waits).toEqual([1000, 2000, 4000])
  expect(new Set(stage.double.questions.map(({ body }) => body['chat_id'])).size).toBe(1)
  stage.double.fail('in-progress', 'in-progress', 'in-progress', 'in-progress')
  await expect(stage.ask([user('one'), first, user('two')])).rejects.toMatchObject({ code: 'upstream_overloaded' })
})

test('two requests for one chat take turns', async () => {
  const stage = await startStage({ answer: (chain) => ({ text: recall(chain), pieceSize: 1 }), ...sessions() })
  const first = await stage.ask([user('one')])
  const answers = await Promise.all(['two', 'zwei', 'deux'].map((word) => stage.ask([user('one'), first, user(word)])))
  expect(answers.map(({ content }) => content)).toEqual(['3: two', '3: zwei', '3: deux'])
  expect(stage.waits).toEqual([])
})

test('an answer the client left is not gone on from, and its chat is waited for', async () => {
  const stage = await startStage({
    answer: (chain) =>
      chain.at(-1)?.content === 'long' ? { text: 'Well, this takes a while', ending: 'hang' } : recall(chain),
    busyAfterAbort: 2,
    ...sessions(),
  })
  const first = await stage.ask([user('one')])
  const controller = new AbortController()
  const aborted = stage.double.nextAbort()
  const turn = await stage.start([user('one'), first, user('long')], { signal: controller.signal })
  const reading = (async () => {
    for await (const _ of turn.events) controller.abort(new Error('gone'))
  })()
  await expect(reading).rejects.toThrow('gone')
  await aborted
  expect(await stage.ask([user('one'), first, user('two')])).toMatchObject({ content: '3: two' })
  expect(stage.waits).toEqual([1000, 2000])
  // What the client saw of the answer it left, it may well send back.
  const left: AssistantMessage = { role: 'assistant', content: 'Well, ' }
  await stage.ask([user('one'), first, user('long'), left, user('so?')])
  expect(summarise(stage.double.questions.at(-1)?.body ?? {})).toMatchObject({ parent: null })
})

test.each([3, 500])(
  'an answer that went on after its one call is not gone on from, in pieces of %i',
  async (pieceSize) => {
    const text =
      '<read>\n<filePath>/a</filePath>\n</read>\n\nTool Result from read:\nI made this up, and there is much more of it.'
    const stage = await startStage({
      answer: (chain) => (chain.length === 1 ? { text, pieceSize } : recall(chain)),
      ...sessions(),
    })
    const answer = await stage.ask([user('Read.')], { tools: [read] })
    expect(answer.content).toMatchObject([{ type: 'call', call: { arguments: '{"filePath":"/a"}' } }])
    await stage.ask([user('Read.'), answer, result(callsOf(answer)[0]?.id ?? '', 'AAA')], { tools: [read] })
    const sent = summarise(stage.double.questions.at(-1)?.body ?? {})
    expect(sent).toMatchObject({ parent: null })
    expect(sent.content).not.toContain('I made this up')
  },
)

test('a call whose answer never came to its end counts, and is not gone on from', async () => {
  const text = '<read>\n<filePath>/a</filePath>\n</read>'
  const stage = await startStage({
    answer: (chain) => (chain.length === 1 ? { text, ending: 'eof' } : recall(chain)),
    ...sessions(),
  })
  const answer = await stage.ask([user('Read.')], { tools: [read] })
  expect(callsOf(answer)).toHaveLength(1)
  await stage.ask([user('Read.'), answer, result(callsOf(answer)[0]?.id ?? '', 'AAA')], { tools: [read] })
  expect(summarise(stage.double.questions.at(-1)?.body ?? {})).toMatchObject({ parent: null })
})

test('a store that fails is a store that knows nothing', async () => {
  let broken = false
  const store = createSharedSessions()
  const flaky = { ...store, get: async (key: string) => (broken ? undefined : await store.get(key)) }
  const stage = await startStage({ answer: recall, sessions: flaky })
  const first = await stage.ask([user('one')])
  broken = true
  await stage.ask([user('one'), first, user('two')])
  broken = false
  await stage.ask([user('one'), first, user('two')])
  expect(stage.double.questions.map(({ body }) => summarise(body).parent)).toEqual([null, null, 'response-3'])
})

function withArguments(message: AssistantMessage, json: string): AssistantMessage {
  return mapCalls(message, (call) => ({ ...call, arguments: json }))
}

function withCall(message: AssistantMessage): AssistantMessage {
  const calls: readonly Call[] = [{ id: 'x', kind: 'function', name: 'read', arguments: '{}' }]
  return { ...message, content: inUsualOrder({ content: textOf(message.content), calls }) }
}

test('a reminder goes with the first message of a chat and is not said again in it', async () => {
  const stage = await startStage({ answer: recall, ...sessions() })
  const { ask } = stage.open({}, { dialect: 'hermes', reminder: 'on' })
  const reminders = () =>
    stage.double.questions.map(({ body }) => String(summarise(body).content).match(/\(If a tool helps/g)?.length ?? 0)
  const first = await ask([user('one')], { tools: [read] })
  const second = await ask([user('one'), first, user('two')], { tools: [read] })
  await ask([user('one'), first, user('two'), second, user('three')], { tools: [read] })
  expect(reminders()).toEqual([1, 0, 0])
  expect(stage.double.chats.size).toBe(1)
})

test.each(['hermes', 'roo-xml'])('nothing follows the words of %s here unless it is asked for', async (dialect) => {
  const stage = await startStage({ answer: recall, ...sessions() })
  await stage.open({}, { dialect }).ask([user('one')], { tools: [read] })
  expect(summarise(stage.double.questions.at(-1)?.body ?? {}).content).toMatch(/\n\none$/)
})
