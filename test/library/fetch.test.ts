import OpenAI from 'openai'
import { rolldown } from 'rolldown'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFetch, type Question, type Saying, type TextModel } from '../../src/fetch.ts'
import { createTextUpstream } from '../../src/library/fetch/text-model.ts'
import { defaultSettings } from '../../src/turn/settings.ts'
import { createTurns } from '../../src/turn/turns.ts'
import { answer, startOpenAiDouble } from '../doubles/openai-compat.ts'
import { run } from '../server/scripted.ts'
import { cut } from './tools.ts'

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
} as const
const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
const messages = [{ role: 'user', content: 'How is the weather in Oslo?' }] as const

/** OpenAI's own client over a model that is a function. */
function clientOf(upstream: TextModel, options: object = {}) {
  return new OpenAI({ apiKey: 'sk-test', maxRetries: 0, fetch: createFetch({ upstream, ...options }) })
}

/** Says the same whatever it is asked, and remembers that. */
function scripted(text: string, size = 5) {
  const asked: Question[] = []
  const model: TextModel = (question) => {
    asked.push(question)
    return cut(text, size)
  }
  return { asked, model }
}

describe('a model that is a function has tools', () => {
  test('in one piece', async () => {
    const { asked, model } = scripted(`I will look.\n${call}`)
    const completion = await clientOf(model).chat.completions.create({
      model: 'any',
      messages: [...messages],
      tools: [weather],
    })
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'I will look.',
        tool_calls: [{ function: { name: 'get_weather', arguments: '{"city": "Oslo"}' } }],
      },
    })
    expect(asked[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(asked[0]?.messages[0]?.content).toContain('get_weather')
    expect(asked[0]).toMatchObject({ model: 'any', key: 'sk-test' })
  })

  test('as it comes, arguments in pieces', async () => {
    const { model } = scripted(call)
    const stream = await clientOf(model).chat.completions.create({
      model: 'any',
      messages: [...messages],
      tools: [weather],
      stream: true,
    })
    const pieces: string[] = []
    let finish: string | null | undefined
    for await (const { choices } of stream) {
      const piece = choices[0]?.delta.tool_calls?.[0]?.function?.arguments
      if (piece) pieces.push(piece)
      finish = choices[0]?.finish_reason ?? finish
    }
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.join('')).toBe('{"city": "Oslo"}')
    expect(finish).toBe('tool_calls')
  })

  test('through a whole conversation, in any dialect', async () => {
    const { asked, model } = scripted('It is cold.')
    const history: OpenAI.ChatCompletionMessageParam[] = [
      ...messages,
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '-7 °C' },
    ]
    const { choices } = await clientOf(model, { dialect: 'glm-4.5' }).chat.completions.create({
      model: 'any',
      messages: history,
      tools: [weather],
    })
    expect(choices[0]?.message.content).toBe('It is cold.')
    expect(asked[0]?.messages[2]?.content).toContain('<arg_key>city</arg_key>')
    expect(asked[0]?.messages[3]?.content).toContain('-7 °C')
  })

  test('by the Responses API, too, which goes on from what it kept', async () => {
    const { asked, model } = scripted('Hello, Ada.')
    const client = clientOf(model)
    const first = await client.responses.create({ model: 'any', input: 'I am Ada.' })
    expect(first.output_text).toBe('Hello, Ada.')
    await client.responses.create({ model: 'any', input: 'Who am I?', previous_response_id: first.id })
    expect(asked[1]?.messages.map(({ content }) => content)).toEqual(['I am Ada.', 'Hello, Ada.', 'Who am I?'])
  })

  test("by Anthropic's Messages as well", async () => {
    const { model } = scripted(call)
    const response = await createFetch({ upstream: model, dialect: 'hermes' })(
      'https://api.anthropic.com/v1/messages',
      {
        method: 'POST',
        headers: { 'x-api-key': 'sk', 'anthropic-version': '2023-06-01' },
        body: JSON.stringify({
          model: 'any',
          max_tokens: 100,
          messages,
          tools: [{ name: 'get_weather', input_schema: weather.function.parameters }],
        }),
      },
    )
    expect(await response.json()).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', name: 'get_weather', input: { city: 'Oslo' } }],
    })
  })

  test('thoughts, tokens and how it ended are told as it tells them', async () => {
    const said: Saying[] = [
      { reasoning: 'Hm.' },
      { text: 'Half a' },
      { usage: { promptTokens: 7, completionTokens: 3 } },
      { finish: 'length' },
    ]
    const { choices, usage } = await clientOf(() => said).chat.completions.create({
      model: 'any',
      messages: [...messages],
    })
    expect(choices[0]).toMatchObject({
      finish_reason: 'length',
      message: { content: 'Half a', reasoning_content: 'Hm.' },
    })
    expect(usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 })
  })

  test('a list of its models is there for who asks', async () => {
    const { model } = scripted('')
    const { data } = await clientOf(model, { models: ['claude-on-a-bridge'] }).models.list()
    expect(data.map(({ id }) => id)).toEqual(['claude-on-a-bridge'])
  })
})

describe('what goes wrong is told as the gateway tells it', () => {
  const failing = (thrown: unknown): TextModel =>
    async function* () {
      yield* []
      throw thrown
    }

  test.each([
    ['an error', new Error('the bridge is out'), 502, 'upstream_error'],
    ['an error with a status', Object.assign(new Error('slow down'), { status: 429 }), 429, 'rate_limit_exceeded'],
    ['a refusal', Object.assign(new Error('bad key'), { status: 401 }), 401, 'upstream_auth'],
  ])('%s before the first word is a status', async (_, thrown, status, code) => {
    for (const stream of [false, true]) {
      const asked = clientOf(failing(thrown)).chat.completions.create({ model: 'any', messages: [...messages], stream })
      await expect(asked).rejects.toMatchObject({ status, code })
    }
  })

  test('after it, it is an error in the stream', async () => {
    const breaking: TextModel = async function* () {
      yield 'Once upon a time there was a dragon who '
      throw new Error('gone')
    }
    const stream = await clientOf(breaking).chat.completions.create({
      model: 'any',
      messages: [...messages],
      stream: true,
    })
    const read = (async () => {
      for await (const _ of stream);
    })()
    await expect(read).rejects.toThrow(/gone/)
  })

  test.each([
    ['a body that is none', { method: 'POST', body: 'no' }, '/v1/chat/completions', 400, 'invalid_json'],
    ['a path of nobody', {}, '/v1/nothing', 404, 'not_found'],
    ['a method of nobody', { method: 'DELETE' }, '/v1/chat/completions', 405, 'method_not_allowed'],
    [
      'a request without messages',
      { method: 'POST', body: '{"model": "any"}' },
      '/api/v1/chat/completions',
      400,
      'missing_required_parameter',
    ],
  ])('%s', async (_, init, path, status, code) => {
    const response = await createFetch({ upstream: () => 'x' })(`https://example.com${path}`, init)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { code } })
  })

  test.each([undefined, 'localhost', {}, { url: 'not an address' }])(
    'an upstream that is none (%s) is told',
    (upstream) => {
      expect(() => createFetch({ upstream } as never)).toThrow(
        "createFetch can't use this 'upstream'. Give the address",
      )
    },
  )

  test('an unknown dialect is told when the fetch is made', () => {
    expect(() => createFetch({ upstream: () => '', dialect: 'hermse' })).toThrow("Did you mean 'hermes'?")
  })
})

describe('whoever goes away', () => {
  /** Goes on for ever, and tells when it was stopped. */
  function endless() {
    let signal: AbortSignal | undefined
    const ended = Promise.withResolvers<void>()
    const model: TextModel = async function* (question) {
      signal = question.signal
      try {
        for (;;) {
          yield 'on and on '
          await new Promise((resolve) => setImmediate(resolve))
        }
      } finally {
        ended.resolve()
      }
    }
    return { model, ended: ended.promise, signal: () => signal }
  }

  test.each([false, true])('by a signal ends the model and gets its reason (stream: %s)', async (stream) => {
    const { model, ended, signal } = endless()
    const abort = new AbortController()
    const asked = createFetch({ upstream: model })('https://example.com/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify({ model: 'any', messages, stream }),
      signal: abort.signal,
    })
    if (stream) {
      const reader = (await asked).body?.getReader()
      await reader?.read()
      abort.abort(new Error('enough'))
      await expect(
        (async () => {
          for (;;) await reader?.read()
        })(),
      ).rejects.toThrow('enough')
    } else {
      setImmediate(() => abort.abort(new Error('enough')))
      await expect(asked).rejects.toThrow('enough')
    }
    await ended
    expect(signal()?.aborted).toBe(true)
  })

  test('by cancelling the stream ends the model', async () => {
    const { model, ended } = endless()
    const stream = await clientOf(model).chat.completions.create({
      model: 'any',
      messages: [...messages],
      stream: true,
    })
    for await (const _ of stream) break
    await ended
  })

  test('who reads slowly is not outrun', async () => {
    let said = 0
    const model: TextModel = function* () {
      for (; said < 10_000; said++) yield 'x'.repeat(1000)
    }
    const response = await createFetch({ upstream: model })('https://example.com/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify({ model: 'any', messages, stream: true }),
    })
    const reader = response.body?.getReader()
    await reader?.read()
    for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve))
    expect(said).toBeLessThan(1000)
    await reader?.cancel()
  })
})

describe('a service is asked over fetch', () => {
  async function start(text: string) {
    const double = await startOpenAiDouble({ respond: [answer({ text: [text] })] })
    onTestFinished(() => double.close())
    return double
  }

  test('with the key of the client, tools taught in its prompt', async () => {
    const double = await start(call)
    const client = new OpenAI({
      apiKey: 'sk-mine',
      maxRetries: 0,
      fetch: createFetch({ upstream: double.url, tools: 'prompt' }),
    })
    const { choices } = await client.chat.completions.create({
      model: 'double',
      messages: [...messages],
      tools: [weather],
    })
    expect(choices[0]?.message.tool_calls).toHaveLength(1)
    const [posted] = double.requests.filter(({ method }) => method === 'POST')
    expect(posted?.headers['authorization']).toBe('Bearer sk-mine')
    expect(posted?.body).not.toHaveProperty('tools')
  })

  test('one that is not there is told as such', async () => {
    const client = new OpenAI({ apiKey: 'x', maxRetries: 0, fetch: createFetch({ upstream: 'http://127.0.0.1:9/v1' }) })
    await expect(client.chat.completions.create({ model: 'm', messages: [...messages] })).rejects.toMatchObject({
      status: 502,
      code: 'upstream_unreachable',
    })
  })
})

test.each([false, true])('it answers as the gateway does behind its port (stream: %s)', async (stream) => {
  const { model } = scripted(`Let me see.\n${call}`)
  const turns = createTurns({
    upstreams: new Map([['upstream', createTextUpstream('upstream', model)]]),
    models: [{ ...defaultSettings('any', ['upstream']), dialect: 'hermes' }],
    newId: () => 'call_1',
  })
  const { gateway, port } = await run({ turns })
  onTestFinished(() => gateway.close())
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'any', messages, tools: [weather], stream }),
  }
  const there = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, init)
  const here = await createFetch({ upstream: model, dialect: 'hermes' })('https://x/v1/chat/completions', init)
  const ids = /(?:chatcmpl-|call_|req_)\w+|"created":\d+/g
  expect((await here.text()).replaceAll(ids, '')).toBe((await there.text()).replaceAll(ids, ''))
  const headersOf = ({ headers }: Response) =>
    ['content-type', 'x-dragoman-mode', 'x-dragoman-dialect', 'x-dragoman-upstream'].map((name) => headers.get(name))
  expect(headersOf(here)).toEqual(headersOf(there))
})

test.each(['core', 'engine', 'fetch', 'ai-sdk'])('nothing in dragoman/%s needs Node', async (entry) => {
  const made = await rolldown({ input: `src/${entry}.ts`, platform: 'browser', logLevel: 'silent' })
  const { output } = await made.generate()
  await made.close()
  expect(output[0].imports).toEqual([])
  expect(output[0].code).not.toMatch(/\bfrom ["'](?:node:|undici)/)
})
