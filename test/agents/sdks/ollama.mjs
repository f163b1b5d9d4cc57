// biome-ignore-all lint/correctness/noUndeclaredDependencies: it runs in a folder that has them.
import { Ollama } from 'ollama'
import { attempt, key, tools, work } from './tools.mjs'

const offered = tools.map(({ name, description, parameters }) => ({
  type: 'function',
  function: { name, description, parameters },
}))

await work(async ({ url, model, prompt, way }) => {
  const client = new Ollama({ host: url.replace(/\/v1$/, ''), headers: { Authorization: `Bearer ${key}` } })
  const messages = [{ role: 'user', content: prompt }]
  for (;;) {
    const request = { model, messages, tools: offered }
    const answer =
      way === 'chat' ? await client.chat(request) : await gather(await client.chat({ ...request, stream: true }))
    const { message } = answer
    if (message.tool_calls === undefined) {
      return { text: message.content, usage: [answer.prompt_eval_count, answer.eval_count] }
    }
    const results = await Promise.all(
      message.tool_calls.map(async ({ function: { name, arguments: values } }) => {
        const content = await attempt(
          tools.find((tool) => tool.name === name),
          values,
        )
        return { role: 'tool', tool_name: name, content }
      }),
    )
    messages.push(message, ...results)
  }
})

/** A stream as the message it adds up to. */
async function gather(parts) {
  let last
  let content = ''
  const calls = []
  for await (const part of parts) {
    content += part.message.content
    calls.push(...(part.message.tool_calls ?? []))
    last = part
  }
  return { ...last, message: { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) } }
}
