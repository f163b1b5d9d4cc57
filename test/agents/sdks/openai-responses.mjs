// biome-ignore-all lint/correctness/noUndeclaredDependencies: it runs in a folder that has them.
import OpenAI from 'openai'
import { attempt, key, tools, work } from './tools.mjs'

const offered = tools.map(({ name, description, parameters }) => ({
  type: 'function',
  name,
  description,
  parameters,
  strict: true,
}))

await work(async ({ url, model, prompt, way }) => {
  const { responses } = new OpenAI({ baseURL: url, apiKey: key, maxRetries: 0 })
  let request = { model, tools: offered, input: [{ role: 'user', content: prompt }] }
  for (;;) {
    const response =
      way === 'create'
        ? await responses.create(request)
        : await responses.stream({ ...request, store: false }).finalResponse()
    const calls = response.output.filter(({ type }) => type === 'function_call')
    if (calls.length === 0) {
      return { text: response.output_text, usage: [response.usage.input_tokens, response.usage.output_tokens] }
    }
    const results = await Promise.all(
      calls.map(async ({ call_id, name, arguments: json }) => {
        const tool = tools.find((one) => one.name === name)
        return { type: 'function_call_output', call_id, output: await attempt(tool, JSON.parse(json)) }
      }),
    )
    // What was said so far is kept by the gateway, or sent along.
    request =
      way === 'create'
        ? { model, tools: offered, previous_response_id: response.id, input: results }
        : { ...request, input: [...request.input, ...response.output, ...results] }
  }
})
