/** What a running gateway says of its models. */
export interface GatewayModel {
  readonly id: string
  readonly contextLength?: number
  readonly available: boolean
}

export type GatewayAnswer =
  | { readonly kind: 'models'; readonly models: readonly GatewayModel[] }
  /** Nothing answers there, or nothing that is a gateway. */
  | { readonly kind: 'none' }
  | { readonly kind: 'refused' }
  /** It is there and has no models to list; these are its words. */
  | { readonly kind: 'failed'; readonly message: string }

const askWithinMs = 5000

export async function askGateway(url: string, key: string): Promise<GatewayAnswer> {
  try {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${url}/models`, { headers, signal: AbortSignal.timeout(askWithinMs) })
    if (response.status === 401 || response.status === 403) return { kind: 'refused' }
    return read(await response.json())
  } catch {
    return { kind: 'none' }
  }
}

function read(body: unknown): GatewayAnswer {
  if (!isObject(body)) return { kind: 'none' }
  const { data, error } = body
  if (isObject(error)) return { kind: 'failed', message: String(error['message'] ?? '') }
  if (!Array.isArray(data)) return { kind: 'none' }
  return { kind: 'models', models: data.filter(isObject).flatMap(toModel) }
}

function toModel({ id, context_length: length, dragoman }: Readonly<Record<string, unknown>>): GatewayModel[] {
  if (typeof id !== 'string') return []
  const available = !isObject(dragoman) || dragoman['available'] !== false
  return [{ id, available, ...(typeof length === 'number' && { contextLength: length }) }]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
