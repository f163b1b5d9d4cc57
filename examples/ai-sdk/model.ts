/** A stand-in for any model of the SDK. In its place: `createOpenAICompatible({ … })('your-model')`. */
import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'

const usage = {
  inputTokens: { total: 20, noCache: 20, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 10, text: 10, reasoning: undefined },
}
const finishReason = { unified: 'stop', raw: 'stop' } as const

function answerTo(prompt: LanguageModelV4Prompt): string {
  if (JSON.stringify(prompt.at(-1)).includes('-7 °C')) return 'Yes: it is -7 °C and snowing.'
  return 'Let me look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
}

export const wordsOnly: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'example',
  modelId: 'words-only',
  supportedUrls: {},
  doGenerate: async ({ prompt }) => ({
    content: [{ type: 'text', text: answerTo(prompt) }],
    finishReason,
    usage,
    warnings: [],
  }),
  doStream: async ({ prompt }) => {
    const pieces = answerTo(prompt).match(/.{1,6}/gs) ?? []
    const parts: LanguageModelV4StreamPart[] = [
      { type: 'stream-start', warnings: [] },
      { type: 'text-start', id: '0' },
      ...pieces.map((delta) => ({ type: 'text-delta' as const, id: '0', delta })),
      { type: 'text-end', id: '0' },
      { type: 'finish', finishReason, usage },
    ]
    return {
      stream: new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(part)
          controller.close()
        },
      }),
    }
  },
}
