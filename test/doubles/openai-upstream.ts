import { onTestFinished } from 'vitest'
import type { OpenAiOptions } from '../../src/upstreams/openai/openai.ts'
import { createOpenAiUpstream } from '../../src/upstreams/openai/pooled.ts'
import type { Upstream, UpstreamEvent, UpstreamRequest } from '../../src/upstreams/upstream.ts'
import { type OpenAiDoubleOptions, startOpenAiDouble } from './openai-compat.ts'

/** A request that asks for nothing in particular. */
export const request: UpstreamRequest = {
  model: 'double',
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [],
  sampling: {},
  extra: {},
}

/** Long enough never to run out in a test that does not want them to. */
export const timeouts = { connectMs: 2000, firstEventMs: 5000, idleMs: 5000, totalMs: 10_000 }

/** A scripted service and the real upstream in front of it, both closed when the test ends. */
export async function startBoth(
  respond: OpenAiDoubleOptions['respond'],
  options: Partial<OpenAiOptions> = {},
  models?: OpenAiDoubleOptions['models'],
  questions?: OpenAiDoubleOptions['questions'],
) {
  const double = await startOpenAiDouble({ respond, ...(models && { models }), ...(questions && { questions }) })
  const upstream = createOpenAiUpstream({ name: 'local', url: double.url, timeouts, ...options })
  onTestFinished(async () => {
    await upstream.close()
    await double.close()
  })
  return { double, upstream }
}

/** Everything one answer says, read by read, and what it threw, if it did. */
export async function listen(upstream: Upstream, signal = new AbortController().signal, asked = request) {
  const reads: (readonly UpstreamEvent[])[] = []
  let thrown: unknown
  try {
    for await (const read of upstream.chat(asked, signal)) reads.push(read)
  } catch (error) {
    thrown = error
  }
  return { reads, events: reads.flat(), thrown }
}
