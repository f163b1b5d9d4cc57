/** OpenAI's own client, and behind it a function: text in, text out. No port is opened. */
import { createFetch, type TextModel } from 'dragoman/fetch'
import OpenAI from 'openai'

/** A stand-in for a model that knows nothing of tools. Yours may ask any service, and pass `signal` on to it. */
const model: TextModel = async function* ({ messages }) {
  const last = String(messages.at(-1)?.content)
  const answer = last.includes('-7 °C')
    ? 'Yes: it is -7 °C and snowing.'
    : 'Let me look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
  for (let at = 0; at < answer.length; at += 6) yield answer.slice(at, at + 6)
}

const client = new OpenAI({ apiKey: 'none', fetch: createFetch({ upstream: model, dialect: 'hermes' }) })

const runner = client.chat.completions.runTools({
  model: 'mine',
  stream: true,
  messages: [{ role: 'user', content: 'Do I need a coat in Oslo?' }],
  tools: [
    {
      type: 'function',
      function: {
        name: 'get_weather',
        description: 'The weather in a city',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        parse: JSON.parse,
        function: ({ city }: { city: string }) => `-7 °C and snow in ${city}`,
      },
    },
  ],
})
runner.on('tool_calls.function.arguments.delta', ({ arguments_delta: delta }) => console.log('arguments', delta))
runner.on('functionToolCall', (call) => console.log('call', call.name, call.arguments))
console.log(await runner.finalContent())
