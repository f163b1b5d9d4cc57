/** The AI SDK with a model that has no tools. */
import { jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai'
import { toolMiddleware } from 'dragoman/ai-sdk'
import { wordsOnly } from './model.ts'

const model = wrapLanguageModel({ model: wordsOnly, middleware: toolMiddleware({ dialect: 'hermes' }) })

const result = streamText({
  model,
  prompt: 'Do I need a coat in Oslo?',
  stopWhen: stepCountIs(5),
  tools: {
    get_weather: tool({
      description: 'The weather in a city',
      inputSchema: jsonSchema<{ city: string }>({
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
      }),
      execute: async ({ city }) => `-7 °C and snow in ${city}`,
    }),
  },
})

for await (const part of result.fullStream) {
  if (part.type === 'text-delta') process.stdout.write(part.text)
  if (part.type === 'tool-call') console.log('\ncall', part.toolName, JSON.stringify(part.input))
  if (part.type === 'tool-result') console.log('result', part.output)
}
console.log()
