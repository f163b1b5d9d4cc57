// biome-ignore-all lint/correctness/noUndeclaredDependencies: it runs in a folder that has them.
import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { attempt, key, tools, work } from './tools.mjs'

const offered = tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }))
const runnable = tools.map((tool) =>
  betaTool({
    name: tool.name,
    description: tool.description,
    inputSchema: tool.parameters,
    run: (values) => attempt(tool, values),
  }),
)
const limit = { max_tokens: 60_000 }

await work(async ({ url, model, prompt, way }) => {
  const client = new Anthropic({ baseURL: url.replace(/\/v1$/, ''), apiKey: key, maxRetries: 0, timeout: 60_000 })
  const messages = [{ role: 'user', content: prompt }]
  if (way === 'tool-runner') {
    const request = { model, messages, tools: runnable, max_iterations: 40, stream: true, ...limit }
    let last
    for await (const stream of client.beta.messages.toolRunner(request)) last = await stream.finalMessage()
    return toResult(last)
  }
  for (;;) {
    const request = { model, messages, tools: offered, ...limit }
    const message =
      way === 'create' ? await client.messages.create(request) : await client.messages.stream(request).finalMessage()
    if (message.stop_reason !== 'tool_use') return toResult(message)
    const calls = message.content.filter(({ type }) => type === 'tool_use')
    const results = await Promise.all(
      calls.map(async ({ id, name, input }) => {
        const tool = tools.find((one) => one.name === name)
        return { type: 'tool_result', tool_use_id: id, content: await attempt(tool, input) }
      }),
    )
    messages.push({ role: 'assistant', content: message.content }, { role: 'user', content: results })
  }
})

function toResult({ content, usage }) {
  const text = content.map((block) => block.text ?? '').join('')
  return { text, usage: [usage.input_tokens, usage.output_tokens] }
}
