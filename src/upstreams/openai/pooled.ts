import type { Upstream } from '../upstream.ts'
import { createHttpClient } from '../wire/undici-client.ts'
import { createOpenAiUpstreamOver, type OpenAiOptions } from './openai.ts'

/** Any service that speaks OpenAI's chat completions, over connections that are kept. */
export function createOpenAiUpstream(options: OpenAiOptions): Upstream {
  return createOpenAiUpstreamOver(createHttpClient, options)
}
