import type { UpstreamEvent } from '../../../upstreams/upstream.ts'

/** Whether the model says it, and not the service about it. */
export function isSpoken({ type }: UpstreamEvent): boolean {
  return type === 'text' || type === 'refusal' || type === 'reasoning' || type === 'call'
}

export function isBlank(event: UpstreamEvent): boolean {
  return 'text' in event && !/\S/.test(event.text)
}
