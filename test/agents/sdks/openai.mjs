import OpenAI from 'openai'
import { attempt, key, tools, work } from './tools.mjs'

const offered = tools.map(({ run: _run, ...tool }) => ({ type: 'function', function: tool }))

const ways = { create, stream, 'run-tools': runTools }

await work(async ({ url, model, prompt, way }) => {
  const client = new OpenAI({ baseURL: url, apiKey: key, maxRetries: 0 })
  return await ways[way](client, { model, messages: [{ role: 'user', content: prompt }] })
})

async function create(client, request) {
  return await loop(request, (body) => client.chat.completions.create(body))
}

async function stream(client, request) {
  return await loop(request, (body) =>
    client.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion(),
  )
}

/** The loop every program around the SDK has: ask, do what is asked, ask again. */
async function loop({ model, messages }, ask) {
  const said = [...messages]
  for (let turn = 0; turn < 40; turn++) {
    const { choices, usage } = await ask({ model, messages: said, tools: offered })
    const { message } = choices[0]
    said.push(message)
    if (!message.tool_calls?.length)
      return { text: message.content, usage: [usage.prompt_tokens, usage.completion_tokens] }
    for (const { id, function: call } of message.tool_calls) {
      const tool = tools.find(({ name }) => name === call.name)
      said.push({ role: 'tool', tool_call_id: id, content: await attempt(tool, JSON.parse(call.arguments)) })
    }
  }
  throw new Error('It never ended.')
}

async function runTools(client, request) {
  const runnable = tools.map((tool) => ({
    type: 'function',
    function: {
      name: tool.name,
      description: tool.description,
      parameters: tool.parameters,
      parse: JSON.parse,
      function: (values) => attempt(tool, values),
    },
  }))
  const runner = client.chat.completions.runTools({ ...request, tools: runnable }, { maxChatCompletions: 40 })
  const { usage, choices } = await runner.finalChatCompletion()
  return { text: choices[0].message.content, usage: [usage.prompt_tokens, usage.completion_tokens] }
}
