import type { Standing } from './quota.ts'

/** How a key stands, in the headers that OpenAI's clients know. */
export function toHeaders(standing: Standing | undefined): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const what of ['requests', 'tokens'] as const) {
    const meter = standing?.[what]
    if (meter === undefined) continue
    headers[`x-ratelimit-limit-${what}`] = String(meter.limit)
    headers[`x-ratelimit-remaining-${what}`] = String(meter.remaining)
    headers[`x-ratelimit-reset-${what}`] = printSpan(meter.resetMs)
  }
  return headers
}

/** `120ms`, `8.5s`, `1m0s`: as OpenAI writes them. */
export function printSpan(ms: number): string {
  if (ms < 1000) return `${Math.ceil(ms)}ms`
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(3))}s`
  const seconds = Math.ceil(ms / 1000)
  return `${Math.floor(seconds / 60)}m${seconds % 60}s`
}
