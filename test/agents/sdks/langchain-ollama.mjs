// biome-ignore-all lint/correctness/noUndeclaredDependencies: it runs in a folder that has them.
import { ChatOllama } from '@langchain/ollama'
import { createAgent, tool } from 'langchain'
import { attempt, key, tools, work } from './tools.mjs'

const offered = tools.map((one) =>
  tool((values) => attempt(one, values), { name: one.name, description: one.description, schema: one.parameters }),
)

await work(async ({ url, model, prompt, way }) => {
  const headers = { Authorization: `Bearer ${key}` }
  const chat = new ChatOllama({ model, baseUrl: url.replace(/\/v1$/, ''), headers, maxRetries: 0 })
  const agent = createAgent({ model: chat, tools: offered })
  const question = { messages: [{ role: 'user', content: prompt }] }
  const limits = { recursionLimit: 100 }
  let last
  if (way === 'invoke') last = (await agent.invoke(question, limits)).messages.at(-1)
  else
    for await (const { messages } of await agent.stream(question, { ...limits, streamMode: 'values' }))
      last = messages.at(-1)
  const { input_tokens: input, output_tokens: output } = last.usage_metadata
  return { text: last.text ?? last.content, usage: [input, output] }
})
