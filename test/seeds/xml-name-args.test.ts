import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, type Script } from '../doubles/openai-compat.ts'
import { cutAtRandom, startTextModel } from '../doubles/text-model.ts'
import { complete, gather, stream } from './ask.ts'

/** The example of a document that describes tools for a service of text models: tools and calls in tags, arguments in JSON. */

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Current weather',
    parameters: { type: 'object', properties: { location: { type: 'string' } } },
  },
}
const said = '<tool_call>\n<name>get_weather</name>\n<arguments>{"location": "SF"}</arguments>\n</tool_call>'
const ask = { model: 'poe', messages: [{ role: 'user', content: 'Weather in SF?' }], tools: [weather] }
const call = { name: 'get_weather', arguments: '{"location": "SF"}' }

let model: Awaited<ReturnType<typeof startTextModel>>
const lines: Script[] = []

beforeAll(async () => {
  model = await startTextModel({ poe: { dialect: 'xml-name-args' } }, () => lines.shift() ?? answer({ text: '?' }))
}, 30_000)
afterAll(() => model.stop())

function sentMessages(): readonly { readonly content: string }[] {
  const sent = model.double.requests.at(-1)?.body as { messages: { content: string }[] } | undefined
  return sent?.messages ?? []
}

test.each([0, 1, 2, 3, 4])('the example comes out as the document says (cut %i)', async (seed) => {
  lines.push(answer({ text: cutAtRandom(said, seed) }), answer({ text: cutAtRandom(said, seed) }))
  const [choice] = (await complete(model.origin, ask)).choices
  expect(choice).toMatchObject({
    message: { role: 'assistant', content: null, tool_calls: [{ type: 'function', function: call }] },
    finish_reason: 'tool_calls',
  })
  const gathered = gather(await stream(model.origin, ask))
  expect(gathered).toMatchObject({ content: '', arguments: [call.arguments], finish: ['tool_calls'] })
})

test('the tools stand in the prompt as the document lays them out', async () => {
  lines.push(answer({ text: 'Fine.' }))
  await complete(model.origin, ask)
  const [system] = sentMessages()
  expect(system?.content).toBe(
    '<tools>\n<tool name="get_weather">\n<description>Current weather</description>\n<parameters>{"type": "object", "properties": {"location": {"type": "string"}}}</parameters>\n</tool>\n</tools>\n\n' +
      'To use tools, respond with:\n<tool_call>\n<name>function_name</name>\n<arguments>{"param": "value"}</arguments>\n</tool_call>',
  )
})

test('several calls in one answer are several calls', async () => {
  lines.push(answer({ text: cutAtRandom(`${said}\n${said.replace('SF', 'Oslo')}`, 5) }))
  const [choice] = (await complete(model.origin, ask)).choices
  expect(choice.message.tool_calls?.map((one) => one.function)).toEqual([
    call,
    { name: 'get_weather', arguments: '{"location": "Oslo"}' },
  ])
})

test('no tools in the request: nothing is taught and nothing is read', async () => {
  lines.push(answer({ text: said }))
  const { tools: _, ...plain } = ask
  const [choice] = (await complete(model.origin, plain)).choices
  expect(choice).toMatchObject({ message: { content: said }, finish_reason: 'stop' })
  expect(sentMessages()).toEqual(ask.messages)
})
