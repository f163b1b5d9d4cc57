// biome-ignore-all lint/correctness/noUndeclaredDependencies: it runs in a folder that has them.
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { key, tools, work } from './tools.mjs'

const offered = Object.fromEntries(
  tools.map(({ name, description, parameters, run }) => [
    name,
    tool({ description, inputSchema: jsonSchema(parameters), execute: (values) => run(values) }),
  ]),
)

await work(async ({ url, model, prompt, way }) => {
  const provider = createOpenAI({ baseURL: url, apiKey: key })
  const request = {
    model: provider(model),
    prompt,
    tools: offered,
    stopWhen: stepCountIs(40),
    maxRetries: 0,
  }
  if (way === 'generate-text') {
    const { text, steps } = await generateText(request)
    const { usage } = steps.at(-1)
    return { text, usage: [usage.inputTokens, usage.outputTokens] }
  }
  let failure
  const result = streamText({
    ...request,
    onError: ({ error }) => {
      failure = error
    },
  })
  await result.consumeStream()
  if (failure !== undefined) throw failure
  const { usage } = (await result.steps).at(-1)
  return { text: await result.text, usage: [usage.inputTokens, usage.outputTokens] }
})
