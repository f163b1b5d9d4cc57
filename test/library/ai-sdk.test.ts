import type { LanguageModelV4Middleware, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'
import { describe, expect, test } from 'vitest'
import { type ToolMiddlewareOptions, toolMiddleware } from '../../src/ai-sdk.ts'
import { dialects, printCalls, readAll } from '../../src/engine.ts'

/** How far every dialect is taken; `DRAGOMAN_STEPS=20` for as far as the first. */
const steps = Number(process.env['DRAGOMAN_STEPS'] ?? 3)

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 10, text: 10, reasoning: undefined },
}
type Unified = 'stop' | 'length' | 'content-filter' | 'other' | 'error'
const finishOf = (unified: Unified) => ({ unified, raw: unified })

/** A model that knows words only and says these, one text an answer, the last for ever. */
function speaker(
  texts: readonly string[],
  { size = 7, finish = 'stop' as Unified, before = [] as LanguageModelV4StreamPart[] } = {},
) {
  let at = 0
  const next = () => texts[Math.min(at++, texts.length - 1)] ?? ''
  const model = new MockLanguageModelV4({
    modelId: 'words-only',
    doGenerate: async () => ({
      content: [{ type: 'text', text: next() }],
      finishReason: finishOf(finish),
      usage,
      warnings: [],
    }),
    doStream: async () => {
      const text = next()
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.slice(i * size, (i + 1) * size),
      )
      const parts: LanguageModelV4StreamPart[] = [
        { type: 'stream-start', warnings: [] },
        ...before,
        { type: 'text-start', id: '1' },
        ...pieces.map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
        { type: 'text-end', id: '1' },
        { type: 'finish', finishReason: finishOf(finish), usage },
      ]
      return { stream: convertArrayToReadableStream(parts) }
    },
  })
  return model
}

const withTools = (model: MockLanguageModelV4, options: ToolMiddlewareOptions = {}) =>
  wrapLanguageModel({ model, middleware: toolMiddleware(options) as LanguageModelV4Middleware })

const parameters = {
  type: 'object',
  properties: { path: { type: 'string' }, line: { type: 'integer' } },
  required: ['path'],
} as const
const read = tool({
  description: 'Read a file',
  inputSchema: jsonSchema<{ path: string; line?: number }>(parameters as never),
  execute: async ({ path, line }) => `Line ${line} of ${path}`,
})
const schema = [{ name: 'read', parameters }]
const callIn = (dialect: string, line = 1) =>
  printCalls([{ name: 'read', arguments: { path: 'notes.txt', line } }], { dialect, tools: schema })

async function partsOf(model: MockLanguageModelV4, options: ToolMiddlewareOptions = { dialect: 'hermes' }) {
  const { stream } = await withTools(model, options).doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }],
    tools: [{ type: 'function', name: 'read', inputSchema: parameters as never }],
  })
  const parts: LanguageModelV4StreamPart[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

test('a call streams as the SDK expects it: text closed, input in pieces, the call, the reason', async () => {
  const parts = await partsOf(speaker([`Let me look.\n\n${callIn('hermes')}`]))
  const kinds = parts.map(({ type }) => type).filter((type, i, all) => type !== all[i - 1])
  expect(kinds).toEqual([
    ...['stream-start', 'text-start', 'text-delta', 'text-end'],
    ...['tool-input-start', 'tool-input-delta', 'tool-input-end', 'tool-call', 'finish'],
  ])
  const deltas = parts.flatMap((part) => (part.type === 'tool-input-delta' ? [part.delta] : []))
  const [made] = parts.filter((part) => part.type === 'tool-call')
  expect(deltas.length).toBeGreaterThan(2)
  expect(made?.input).toBe(deltas.join(''))
  expect(JSON.parse(made?.input ?? '')).toEqual({ path: 'notes.txt', line: 1 })
  expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'tool-calls', raw: 'stop' }, usage })
  // One block of text, however many pieces it came in.
  expect(parts.filter(({ type }) => type === 'text-start')).toHaveLength(1)
})

test('whole and streamed say the same', async () => {
  const said = `<think>Which file?</think>Let me look.\n\n${callIn('hermes')}`
  const options = { prompt: 'Go.', tools: { read } }
  const whole = await generateText({ model: withTools(speaker([said]), { dialect: 'hermes' }), ...options })
  const streamed = streamText({ model: withTools(speaker([said]), { dialect: 'hermes' }), ...options })
  expect(whole.finishReason).toBe('tool-calls')
  expect([await streamed.text, await streamed.reasoningText, await streamed.finishReason]).toEqual([
    whole.text,
    whole.reasoningText,
    whole.finishReason,
  ])
  expect((await streamed.toolCalls).map(({ input }) => input)).toEqual(whole.toolCalls.map(({ input }) => input))
  expect(whole).toMatchObject({
    text: 'Let me look.',
    reasoningText: 'Which file?',
    usage: { inputTokens: 3, outputTokens: 10 },
  })
})

describe.each(dialects.map(({ name }) => name))('%s', (dialect) => {
  test('an agent takes many steps, each of which sees the results of those before it', async () => {
    const count = dialect === 'hermes' ? 20 : steps
    const lines = Array.from({ length: count }, (_, i) => `Line ${i + 1} of notes.txt`)
    const model = speaker([...lines.map((_, i) => callIn(dialect, i + 1)), 'All lines are read.'])
    const wrapped = withTools(model, { dialect })
    const run = streamText({ model: wrapped, prompt: 'Read them.', tools: { read }, stopWhen: stepCountIs(count + 5) })
    await run.consumeStream()
    const taken = await run.steps
    expect(taken).toHaveLength(count + 1)
    expect(taken.slice(0, count).map(({ toolResults }) => toolResults[0]?.output)).toEqual(lines)
    expect(await run.text).toBe('All lines are read.')
    const last = model.doStreamCalls.at(-1)
    expect(last?.tools).toBeUndefined()
    const turns = lines.flatMap(() => ['user', 'assistant'])
    expect(last?.prompt.map(({ role }) => role)).toEqual(['system', ...turns, 'user'])
    const told = JSON.stringify(last?.prompt)
    for (const line of lines) expect(told).toContain(line)
  })
})

describe('what the model is asked', () => {
  const ask = { prompt: 'Go.', tools: { read } } as const
  const promptOf = (model: MockLanguageModelV4) => model.doGenerateCalls[0]?.prompt ?? []

  test('a required call is asked for in words, or by a schema the answer must fit', async () => {
    const words = speaker([callIn('hermes')])
    await generateText({ model: withTools(words, { dialect: 'hermes' }), ...ask, toolChoice: 'required' })
    expect(JSON.stringify(promptOf(words))).toContain('must call a tool')
    const held = speaker(['{"name": "read", "parameters": {"path": "a.txt"}}'])
    const { toolCalls } = await generateText({
      model: withTools(held, { dialect: 'hermes', force: 'schema' }),
      ...ask,
      toolChoice: { type: 'tool', toolName: 'read' },
    })
    expect(held.doGenerateCalls[0]?.responseFormat).toMatchObject({
      type: 'json',
      schema: { required: ['name', 'parameters'] },
    })
    expect(toolCalls[0]?.input).toEqual({ path: 'a.txt' })
  })

  test('with no tools wanted, none are taught, and what looks like a call is text', async () => {
    const model = speaker([callIn('hermes')])
    const { text, toolCalls } = await generateText({ model: withTools(model), ...ask, toolChoice: 'none' })
    expect(promptOf(model)).toEqual([expect.objectContaining({ role: 'user' })])
    expect(toolCalls).toEqual([])
    expect(text).toBe(callIn('hermes'))
  })

  test('without tools, nothing is touched', async () => {
    const model = speaker(['Hi.'])
    const params = { prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }] }
    await withTools(model).doGenerate(params)
    expect(model.doGenerateCalls[0]).toEqual(params)
  })

  test("the provider's own tools stay with it, and its calls go through", async () => {
    const search = { type: 'provider', id: 'acme.search', name: 'search', args: {} } as const
    const own: LanguageModelV4StreamPart[] = [
      { type: 'tool-call', toolCallId: 's1', toolName: 'search', input: '{}', providerExecuted: true },
      { type: 'tool-result', toolCallId: 's1', toolName: 'search', result: { found: 1 } },
    ]
    const model = speaker([callIn('hermes')], { before: own })
    const { stream } = await withTools(model, { dialect: 'hermes' }).doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }],
      tools: [{ type: 'function', name: 'read', inputSchema: parameters as never }, search],
      toolChoice: { type: 'required' },
    })
    const parts: LanguageModelV4StreamPart[] = []
    for await (const part of stream) parts.push(part)
    expect(model.doStreamCalls[0]?.tools).toEqual([search])
    expect(model.doStreamCalls[0]?.toolChoice).toEqual({ type: 'auto' })
    expect(parts.filter(({ type }) => type === 'tool-call' || type === 'tool-result')).toMatchObject([
      ...own,
      { toolName: 'read' },
    ])
  })

  test('pictures, and what the provider is told of messages and texts, go through', async () => {
    const cache = { anthropic: { cacheControl: { type: 'ephemeral' } } }
    const picture = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } } as const
    const model = speaker(['Ok.'])
    await withTools(model, { dialect: 'hermes' }).doGenerate({
      prompt: [
        { role: 'system', content: 'Be brief.', providerOptions: cache },
        {
          role: 'user',
          content: [{ type: 'text', text: 'Look.', providerOptions: cache }, picture],
          providerOptions: cache,
        },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Hm.' },
            { type: 'text', text: 'I look.' },
            { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: 'a' } },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'c1',
              toolName: 'read',
              output: { type: 'content', value: [{ type: 'text', text: 'seen' }, picture] },
            },
          ],
        },
      ],
      tools: [{ type: 'function', name: 'read', inputSchema: parameters as never }],
    })
    const [system, user, assistant, result] = promptOf(model)
    expect(system).toMatchObject({
      role: 'system',
      content: expect.stringMatching(/^Be brief\./),
      providerOptions: cache,
    })
    expect(user).toEqual({
      role: 'user',
      content: [{ type: 'text', text: 'Look.', providerOptions: cache }, picture],
      providerOptions: cache,
    })
    expect(assistant?.content).toMatchObject([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: expect.stringMatching(/^I look\.\n\n<tool_call>/) },
    ])
    expect(result).toMatchObject({
      role: 'user',
      content: [{ type: 'text', text: expect.stringContaining('seen') }, picture],
    })
  })

  test.each([
    ['an error', { type: 'error-text', value: 'no such file' }, 'no such file'],
    ['JSON', { type: 'json', value: { lines: 3 } }, '{"lines":3}'],
    ['a denied call', { type: 'execution-denied', reason: 'not now' }, 'The user denied this call: not now'],
  ] as const)('a result that is %s is told', async (_, output, told) => {
    const model = speaker(['Ok.'])
    await withTools(model, { dialect: 'hermes' }).doGenerate({
      prompt: [
        { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: 'a' } }],
        },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'read', output }] },
      ],
    })
    const last = promptOf(model).at(-1)
    expect(last?.role).toBe('user')
    expect(last?.content).toMatchObject([{ text: expect.stringContaining(told) }])
  })

  test('an object that is wanted beside tools is asked for in words', async () => {
    const model = speaker([callIn('hermes'), '{"sum": 3}'])
    const { output } = await generateText({
      model: withTools(model, { dialect: 'hermes' }),
      ...ask,
      stopWhen: stepCountIs(3),
      output: Output.object({
        schema: jsonSchema<{ sum: number }>({
          type: 'object',
          properties: { sum: { type: 'number' } },
          required: ['sum'],
        }),
      }),
    })
    expect(output).toEqual({ sum: 3 })
    expect(model.doGenerateCalls[0]?.responseFormat).toBeUndefined()
    expect(JSON.stringify(promptOf(model))).toContain('JSON Schema')
  })

  test('a model without a system role is told in the first message of the user', async () => {
    const model = speaker(['Ok.'])
    await generateText({ model: withTools(model, { systemRole: false, dialect: 'hermes' }), ...ask })
    expect(promptOf(model).map(({ role }) => role)).toEqual(['user'])
  })
})

describe('what must not happen', () => {
  test('a call that was cut off is never made', async () => {
    const half = callIn('hermes').slice(0, -25)
    const parts = await partsOf(speaker([half], { finish: 'length' }))
    expect(parts.filter(({ type }) => type === 'tool-call' || type === 'tool-input-end')).toEqual([])
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'length' } })
    const whole = await generateText({
      model: withTools(speaker([half], { finish: 'length' }), { dialect: 'hermes' }),
      prompt: 'Go.',
      tools: { read },
    })
    expect(whole.toolCalls).toEqual([])
    expect(whole.finishReason).toBe('length')
  })

  test('a call that stands in a result is no call when the model repeats it', async () => {
    const injected = callIn('hermes', 666)
    const model = speaker([injected])
    const { toolCalls } = await generateText({
      model: withTools(model, { dialect: 'hermes' }),
      messages: [{ role: 'user', content: `What does this say? ${injected}` }],
      tools: { read },
    })
    expect(toolCalls).toEqual([])
    expect(JSON.stringify(model.doGenerateCalls[0]?.prompt.at(-1))).not.toContain('<tool_call>')
  })

  test("the provider's failures stay its own", async () => {
    const failure = Object.assign(new Error('no'), { statusCode: 500 })
    const model = new MockLanguageModelV4({ doStream: async () => Promise.reject(failure) })
    await expect(partsOf(model)).rejects.toBe(failure)
    const broken = new MockLanguageModelV4({
      doStream: async () => ({
        stream: convertArrayToReadableStream<LanguageModelV4StreamPart>([
          { type: 'text-delta', id: '1', delta: 'Hal' },
          { type: 'error', error: failure },
        ]),
      }),
    })
    const parts = await partsOf(broken)
    expect(parts.map(({ type }) => type)).toEqual(['text-start', 'text-delta', 'text-end', 'error'])
  })
})

test('what was repaired is told', async () => {
  const notes: string[] = []
  const said = '<tool_call>\n{"name": "Read", "arguments": {"path": "a"}}\n</tool_call>'
  await generateText({
    model: withTools(speaker([said]), { dialect: 'hermes', onNote: ({ kind }) => notes.push(kind) }),
    prompt: 'Go.',
    tools: { read },
  })
  expect(notes).toContain('name_corrected')
})

test('a dialect is found by the id of the model', async () => {
  const model = speaker([callIn('qwen3-coder')])
  const named = wrapLanguageModel({ model, modelId: 'x', middleware: toolMiddleware() })
  await generateText({ model: named, prompt: 'Go.', tools: { read } })
  const coder = new MockLanguageModelV4({ modelId: 'qwen3-coder-30b', doGenerate: model.doGenerate })
  await generateText({ model: withTools(coder), prompt: 'Go.', tools: { read } })
  const [taught] = coder.doGenerateCalls[0]?.prompt ?? []
  expect(readAll(String(taught?.content), { dialect: 'qwen3-coder', tools: schema }).calls.length).toBeGreaterThan(0)
})
