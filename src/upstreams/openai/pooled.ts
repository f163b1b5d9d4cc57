import type { Upstream } from '../upstream.ts'
import { createPool } from '../wire/pool.ts'
import { createOpenAiUpstreamOver, type OpenAiOptions } from './openai.ts'

export function createOpenAiUpstream(options: OpenAiOptions): Upstream {
  return createOpenAiUpstreamOver(createPool, options)
}
