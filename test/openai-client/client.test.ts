import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answer } from '../doubles/openai-compat.ts'
import { cutAtRandom, startTextModel } from '../doubles/text-model.ts'
import { type RunningGateway, startGateway } from '../dragoman.ts'

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const description = 'Get the current weather of a city'
const tools = [{ type: 'function' as const, function: { name: 'get_weather', description, parameters } }]
const messages = [{ role: 'user' as const, content: 'What is the weather in Oslo?' }]
const weather = '7 degrees, drizzle'

const clientOf = (origin: string) => new OpenAI({ baseURL: `${origin}/v1`, apiKey: 'none', maxRetries: 0 })

/** A call as a model writes it that was taught the dialect, with the habits models have. */
const calls = {
  hermes: 'Let me look.\n\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
  'roo-xml': 'Let me look.\n\n<get_weather>\n<city>Oslo</city>\n</get_weather>',
  'xml-name-args':
    'Let me look.\n\n<tool_call>\n<name>get_weather</name>\n<arguments>{"city": "Oslo"}</arguments>\n</tool_call>',
  'json-fence': 'Let me look.\n\n```json\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n```',
}

type Model = keyof typeof calls

/** Completes the two-step task with each of the client's ways to ask. */
function completesTheTask(model: string, origin: () => string, lastWords: RegExp) {
  const body = { model, messages, tools }
  const expectCall = (completion: OpenAI.ChatCompletion) => {
    const [choice] = completion.choices
    expect(choice?.finish_reason).toBe('tool_calls')
    const [call, ...others] = choice?.message.tool_calls ?? []
    expect(others).toEqual([])
    if (call?.type !== 'function') throw new Error('no call')
    expect(call.function.name).toBe('get_weather')
    expect(JSON.parse(call.function.arguments)).toEqual({ city: 'Oslo' })
    return call
  }
  const after = (call: OpenAI.ChatCompletionMessageFunctionToolCall) => ({
    ...body,
    messages: [
      ...messages,
      { role: 'assistant' as const, content: null, tool_calls: [call] },
      { role: 'tool' as const, tool_call_id: call.id, content: weather },
    ],
  })

  test('create', async () => {
    const { chat } = clientOf(origin())
    const call = expectCall(await chat.completions.create(body))
    const last = await chat.completions.create(after(call))
    expect(last.choices[0]?.finish_reason).toBe('stop')
    expect(last.choices[0]?.message.content).toMatch(lastWords)
    expect(last.usage?.total_tokens).toBe((last.usage?.prompt_tokens ?? 0) + (last.usage?.completion_tokens ?? 0))
  })

  test('stream', async () => {
    const { chat } = clientOf(origin())
    const running = chat.completions.stream(body)
    const fragments: string[] = []
    running.on('tool_calls.function.arguments.delta', ({ arguments_delta }) => fragments.push(arguments_delta))
    const call = expectCall(await running.finalChatCompletion())
    expect(fragments.join('')).toBe(call.function.arguments)
    const last = chat.completions.stream(after(call))
    expect(await last.finalContent()).toMatch(lastWords)
  })

  test.each([false, true])('runTools (streaming: %s)', async (streaming) => {
    const asked: string[] = []
    const runnable = {
      type: 'function' as const,
      function: {
        name: 'get_weather',
        description,
        parameters,
        parse: JSON.parse,
        function: ({ city }: { city: string }) => {
          asked.push(city)
          return weather
        },
      },
    }
    const { chat } = clientOf(origin())
    const task = { model, messages, tools: [runnable] }
    const runner = streaming
      ? chat.completions.runTools({ ...task, stream: true })
      : chat.completions.runTools({ ...task, stream: false })
    expect(await runner.finalContent()).toMatch(lastWords)
    expect(asked).toEqual(['Oslo'])
    expect(runner.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  })
}

describe('the official client over a service that knows nothing of tools', () => {
  let model: Awaited<ReturnType<typeof startTextModel>>

  beforeAll(async () => {
    const dialects = Object.fromEntries(Object.keys(calls).map((dialect) => [dialect, { dialect }]))
    model = await startTextModel(dialects, (body, _headers, index) => {
      const { model: name, messages: told } = body as { model: Model; messages: { content: string }[] }
      const isAnswered = told.at(-1)?.content.includes(weather)
      return answer({ text: cutAtRandom(isAnswered ? `It is ${weather}.` : calls[name], index) })
    })
  }, 30_000)
  afterAll(() => model.stop())

  describe.each(Object.keys(calls))('answering in %s', (dialect) => {
    completesTheTask(dialect, () => model.origin, /^It is 7 degrees, drizzle\.$/)

    test('the service saw no tools, and no message it does not know', () => {
      const sent = model.double.requests.flatMap(({ body }) => {
        const { model: name, ...rest } = body as { model?: string; messages?: { role: string }[]; tools?: unknown }
        return name === dialect ? [rest] : []
      })
      expect(sent.length).toBeGreaterThan(0)
      expect(sent.flatMap((body) => body.tools ?? [])).toEqual([])
      const roles = new Set(sent.flatMap((body) => body.messages?.map(({ role }) => role) ?? []))
      expect([...roles].toSorted()).toEqual(['assistant', 'system', 'user'])
    })
  })
})

describe('the official client over the rehearsal model', () => {
  let gateway: RunningGateway

  beforeAll(async () => {
    gateway = await startGateway({
      config: {
        upstreams: { rehearsal: { kind: 'rehearsal', cut_seed: 7 } },
        models: { taught: { model: 'rehearsal', tools: 'prompt' }, native: { model: 'rehearsal', tools: 'native' } },
      },
    })
  }, 30_000)
  afterAll(() => gateway.stop())

  describe.each(['taught', 'native'])('%s', (name) => {
    completesTheTask(name, () => gateway.origin, /^The tool answered: 7 degrees, drizzle$/)
  })

  test('lists its models', async () => {
    const names: string[] = []
    for await (const { id } of clientOf(gateway.origin).models.list()) names.push(id)
    expect(names).toEqual(['taught', 'native', 'rehearsal'])
  })

  test.each<[string, object, number, string]>([
    ['an unknown model', { model: 'nobody', messages }, 404, 'model_not_found'],
    ['a wrong type', { model: 'taught', messages: 'Hello' }, 400, 'invalid_type'],
    ['no messages', { model: 'taught' }, 400, 'missing_required_parameter'],
  ])('is told about %s as an error it knows', async (_what, body, status, code) => {
    const { chat } = clientOf(gateway.origin)
    const asked = chat.completions.create(body as OpenAI.ChatCompletionCreateParamsNonStreaming)
    await expect(asked).rejects.toMatchObject({ status, code, type: 'invalid_request_error' })
  })
})
