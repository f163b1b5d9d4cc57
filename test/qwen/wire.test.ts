import { expect, onTestFinished, test } from 'vitest'
import type { UpstreamEvent, UpstreamRequest } from '../../src/upstreams/upstream.ts'
import type { QwenFault } from '../doubles/qwen-chat.ts'
import type { QwenAnswerScript } from '../doubles/qwen-chat-stream.ts'
import { startStage } from './stage.ts'

const request: UpstreamRequest = {
  model: 'qwen3-max',
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [],
  sampling: {},
  extra: {},
}

const long = 'Zweiunddreißig Zeichen sind schnell gesagt, 😀 und dann noch mehr.'

async function listen(
  answer: string | QwenAnswerScript,
  asked: Partial<UpstreamRequest> = {},
  faults: QwenFault[] = [],
) {
  const stage = await startStage({ answer: () => answer })
  stage.double.fail(...faults)
  const events: UpstreamEvent[] = []
  let thrown: unknown
  try {
    for await (const read of stage.upstream.chat({ ...request, ...asked }, new AbortController().signal)) {
      events.push(...read)
    }
  } catch (error) {
    thrown = error
  }
  const join = (type: 'text' | 'reasoning') =>
    events.flatMap((event) => (event.type === type ? [event.text] : [])).join('')
  return { stage, events, thrown, text: join('text'), reasoning: join('reasoning') }
}

test.each<[string, QwenAnswerScript, string]>([
  ['in pieces', { text: long }, ''],
  ['character by character', { text: long, pieceSize: 1 }, ''],
  ['at once', { text: long, pieceSize: 500 }, ''],
  ['each piece with all before it', { text: long, whole: true }, ''],
  ['each piece with all before it, in small steps', { text: long, whole: true, pieceSize: 1 }, ''],
  ['the same words again and again', { text: 'ha'.repeat(40), pieceSize: 2 }, ''],
  ['after thoughts', { text: long, thinking: 'Let me think about that.' }, 'Let me think about that.'],
  [
    'after a summary of thoughts',
    {
      text: long,
      summary: [
        ['Reading', 'I read.'],
        ['Weighing', 'I weigh.'],
      ],
    },
    'Reading\nI read.\n\nWeighing\nI weigh.',
  ],
  ['among another answer, searches and unknown events', { text: long, noisy: true }, ''],
  ['with the marker of some models', { text: long, marked: true }, ''],
])('an answer %s is heard once and whole', async (_, script, thoughts) => {
  const { events, text, reasoning, thrown } = await listen(script)
  expect(thrown).toBeUndefined()
  expect(text).toBe(script.text)
  expect(reasoning).toBe(thoughts)
  const usages = events.filter(({ type }) => type === 'usage')
  expect(usages).toEqual([expect.objectContaining({ promptTokens: 33, cachedTokens: 0 })])
  expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
})

test('the usage is the last sum told', async () => {
  const { events } = await listen({ text: 'abcdef', pieceSize: 2 })
  expect(events).toContainEqual({ type: 'usage', promptTokens: 33, completionTokens: 3, cachedTokens: 0 })
})

test('the limit of tokens is kept here, since the service knows none', async () => {
  const { events, text } = await listen({ text: 'abcdef', pieceSize: 2, ending: 'hang' }, { maxTokens: 2 })
  expect(text).toBe('abcd')
  expect(events.at(-1)).toEqual({ type: 'finish', reason: 'length' })
})

test.each<[QwenFault, string, number, object]>([
  ['rate-limited', 'insufficient_quota', 429, { retryAfterSeconds: 14_400 }],
  ['rate-limited-in-stream', 'insufficient_quota', 429, { retryAfterSeconds: 14_400 }],
  ['rate-limited-after-content', 'insufficient_quota', 429, { retryAfterSeconds: 14_400 }],
  ['expired', 'upstream_auth', 401, {}],
  ['challenge', 'upstream_blocked', 503, {}],
  ['challenge-page', 'upstream_blocked', 503, {}],
  ['empty', 'upstream_error', 502, {}],
  ['overloaded', 'upstream_overloaded', 503, {}],
])('%s is %s and not tried again', async (fault, code, status, more) => {
  const { stage, thrown } = await listen('Fine.', {}, [fault])
  expect(thrown).toMatchObject({ name: 'GatewayError', code, status, ...more })
  expect(stage.double.questions).toHaveLength(1)
  expect(stage.waits).toEqual([])
})

test('what was said before the quota ran out was said', async () => {
  const { text } = await listen({ text: 'abcdef', pieceSize: 2 }, {}, ['rate-limited-after-content'])
  expect(text).toBe('abcdef')
})

test.each<[QwenAnswerScript['ending'] & string]>([['eof'], ['drop']])(
  'an answer without its end (%s) is no answer',
  async (ending) => {
    const { thrown, text } = await listen({ text: 'Half of it', ending })
    expect(text).toBe('Half of it')
    expect(thrown).toMatchObject({ code: 'upstream_truncated' })
  },
)

test('leaving hangs up at once', async () => {
  const stage = await startStage({ answer: () => ({ text: 'Half of it', ending: 'hang' }) })
  const controller = new AbortController()
  const aborted = stage.double.nextAbort()
  const reading = (async () => {
    for await (const _ of stage.upstream.chat(request, controller.signal)) controller.abort(new Error('gone'))
  })()
  await expect(reading).rejects.toThrow('gone')
  await aborted
})

test('nobody is there', async () => {
  const stage = await startStage({ answer: () => '' })
  const { upstream } = stage.open({ url: 'http://127.0.0.1:1' })
  await expect(
    upstream.chat(request, new AbortController().signal)[Symbol.asyncIterator]().next(),
  ).rejects.toMatchObject({
    code: 'upstream_unreachable',
  })
})

test.each<[string, Partial<UpstreamRequest>, string]>([
  ['tools of its own', { tools: [{ kind: 'function', name: 'read' }] }, 'tools'],
  [
    'an image',
    { messages: [{ role: 'user', content: [{ type: 'image', url: 'data:image/png;base64,AA' }] }] },
    'messages[0].content',
  ],
])('%s is refused before anything is sent', async (_, asked, param) => {
  const { stage, thrown } = await listen('Fine.', asked)
  expect(thrown).toMatchObject({ code: 'unsupported_parameter', status: 400, param })
  expect(stage.double.requests).toEqual([])
})

test.each([
  ['off', { thinking_enabled: false, auto_thinking: false, thinking_mode: 'Disabled' }],
  ['on', { thinking_enabled: true, auto_thinking: false, thinking_mode: 'Thinking' }],
  ['auto', { thinking_enabled: true, auto_thinking: true, thinking_mode: 'Auto' }],
] as const)('thinking can be %s', async (thinking, features) => {
  const stage = await startStage({ answer: () => 'Fine.', thinking })
  for await (const _ of stage.upstream.chat(request, new AbortController().signal));
  expect(stage.double.questions[0]?.body).toMatchObject({ messages: [{ feature_config: features }] })
})

test('it says honestly who it is', async () => {
  const { stage } = await listen('Fine.')
  const { host: _, connection: __, 'content-length': ___, ...headers } = stage.double.questions[0]?.headers ?? {}
  expect(headers).toEqual({
    accept: 'text/event-stream, application/json',
    'accept-encoding': 'identity',
    authorization: 'Bearer token-of-ada',
    'content-type': 'application/json',
    'user-agent': 'dragoman',
    'x-request-id': expect.stringMatching(/^id-\d+$/),
  })
})

test('its models are listed with the length of their context, and it has no native tools', async () => {
  const { upstream, double } = await startStage({ answer: () => '' })
  const { signal } = new AbortController()
  expect(await upstream.models(signal)).toEqual([{ id: 'qwen3-max', contextLength: 262_144 }])
  expect(await upstream.probe('qwen3-max', signal)).toEqual({ nativeTools: 'no' })
  onTestFinished(() => expect(double.requests).toHaveLength(1))
})
