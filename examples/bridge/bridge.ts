/** Tools for a service that only knows text: each answer is a stream of server-sent events with pieces of it. */
import { ask, type ChatMessage, fold } from 'dragoman/engine'
import { startService } from './service.ts'

const tools = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'The weather in a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
] as const
const run = { get_weather: ({ city }: { city: string }) => `-7 °C and snow in ${city}` }

/** What the service says, piece by piece. */
async function* say(url: string, query: object): AsyncGenerator<string> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ query }) })
  let rest = ''
  for await (const piece of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6)).text ?? ''
  }
}

const service = await startService()
const messages: ChatMessage[] = [{ role: 'user', content: 'Do I need a coat in Oslo?' }]
for (;;) {
  const asked = ask(messages, { tools, dialect: 'hermes' })
  const answer = fold(await Array.fromAsync(asked.read(say(service.url, asked.messages))))
  console.log(answer.content, ...answer.calls.map((call) => `[${call.name} ${call.arguments}]`))
  if (answer.calls.length === 0) break
  const calls = answer.calls.map(({ id, ...call }) => ({ id, type: 'function', function: call }))
  messages.push({ role: 'assistant', content: answer.content, tool_calls: calls })
  for (const { id, name, arguments: json } of answer.calls)
    messages.push({ role: 'tool', tool_call_id: id, content: run[name as keyof typeof run](JSON.parse(json)) })
}
service.close()
