import { isJsonObject } from '../../protocol/json.ts'
/** What a running gateway says of its models. */
export interface GatewayModel {
  readonly id: string
  readonly contextLength?: number
  /** What people should know of it. */
  readonly warning?: string
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
    const response = await get(`${url}/models`, key)
    if (response.status === 401 || response.status === 403) return { kind: 'refused' }
    return read(await response.json())
  } catch {
    return { kind: 'none' }
  }
}

function read(body: unknown): GatewayAnswer {
  if (!isJsonObject(body)) return { kind: 'none' }
  const { data, error } = body
  if (isJsonObject(error)) return { kind: 'failed', message: String(error['message'] ?? '') }
  if (!Array.isArray(data)) return { kind: 'none' }
  return { kind: 'models', models: data.filter(isJsonObject).flatMap(toModel) }
}

function toModel({ id, context_length: length, dragoman }: Readonly<Record<string, unknown>>): GatewayModel[] {
  if (typeof id !== 'string') return []
  const { available, assumed_context: assumed, warning } = isJsonObject(dragoman) ? dragoman : {}
  const contextLength = [length, assumed].find((tokens) => typeof tokens === 'number')
  return [
    {
      id,
      available: available !== false,
      ...(contextLength !== undefined && { contextLength }),
      ...(typeof warning === 'string' && { warning }),
    },
  ]
}

/** One model with what its server tells of it when asked; undefined where the gateway does not say. */
export async function askModel(url: string, key: string, model: string): Promise<GatewayModel | undefined> {
  try {
    const body: unknown = await get(`${url}/models/${encodeURIComponent(model)}`, key).then((answer) => answer.json())
    return isJsonObject(body) ? toModel(body)[0] : undefined
  } catch {
    return undefined
  }
}

function get(address: string, key: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key}` }
  return fetch(address, { headers, signal: AbortSignal.timeout(askWithinMs) })
}
