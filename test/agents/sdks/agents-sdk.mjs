// biome-ignore-all lint/correctness/noUndeclaredDependencies: it runs in a folder that has them.
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { attempt, key, tools, work } from './tools.mjs'

setTracingDisabled(true)

const offered = tools.map((one) =>
  tool({
    name: one.name,
    description: one.description,
    parameters: one.parameters,
    strict: true,
    execute: (values) => attempt(one, values),
  }),
)

await work(async ({ url, model, prompt, way }) => {
  const openAIClient = new OpenAI({ baseURL: url, apiKey: key, maxRetries: 0 })
  const agent = new Agent({ name: 'errands', instructions: 'Do errands.', model, tools: offered })
  const runner = new Runner({
    modelProvider: new OpenAIProvider({ openAIClient, useResponses: way.startsWith('responses') }),
  })
  const stream = way.endsWith('stream')
  const result = await runner.run(agent, prompt, { stream, maxTurns: 40 })
  if (stream) for await (const _event of result);
  const { inputTokens, outputTokens } = result.rawResponses.at(-1).usage
  return { text: result.finalOutput, usage: [inputTokens, outputTokens] }
})
