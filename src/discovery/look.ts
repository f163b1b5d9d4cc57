import { isJsonObject, type JsonObject, parseObject } from '../protocol/json.ts'
import type { Question } from '../upstreams/flavours/flavour.ts'
import { createIdentity } from '../upstreams/openai/identity.ts'
import { readModels } from '../upstreams/openai/models.ts'
import { requestText } from '../upstreams/wire/http.ts'
import { createHttpClient } from '../upstreams/wire/undici-client.ts'
import type { Place } from './places.ts'

/** A model server, and what it told without a key. */
export interface Found {
  readonly url: string
  /** The name of its flavour; `unknown` where nothing gives it away. */
  readonly flavour: string
  /** What people call it. */
  readonly title?: string
  readonly models: readonly string[]
}

/**
 * What is at a place. `none`: nothing listens there. `slow`: no answer in time. `loading`: a server that says it
 * is not ready. `locked`: one that wants a key. `gateway`: a Dragoman, which has nothing of its own. `other`: no model server.
 */
export type Sight =
  | ({ readonly kind: 'found' } & Found)
  | { readonly kind: 'none' | 'slow' | 'loading' | 'gateway' | 'other' }
  | { readonly kind: 'locked'; readonly url: string; readonly title?: string }

/** What one question may take. */
const withinMs = 300
const maxBytes = 8 * 1024 * 1024
const headers = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'dragoman' }

/** Looks at one place: by GET, without a key, each question within a moment. Never rejects. */
export async function lookAt({ url }: Place, limitMs = withinMs): Promise<Sight> {
  const base = new URL(url)
  const client = createHttpClient(base, { connectMs: limitMs })

  async function get(path: string): Promise<{ readonly status: number; readonly text: string }> {
    const request = { method: 'GET', path, headers } as const
    const question = { upstream: url, client, request, withinMs: limitMs, maxBytes }
    return await requestText(question, AbortSignal.timeout(limitMs))
  }

  async function askFor({ path, inside, body }: Question): Promise<JsonObject | undefined> {
    if (body !== undefined) return undefined
    try {
      const { status, text } = await get(inside === true ? `${base.pathname}${path}` : `${beside(base)}${path}`)
      return status === 200 ? parseObject(text) : undefined
    } catch {
      return undefined
    }
  }

  async function whoIsIt(listed: JsonObject | undefined) {
    const ask = async (question: Question) =>
      question.inside === true && question.path === '/models' ? listed : await askFor(question)
    const identity = createIdentity({ url: base, ask, now: Date.now })
    await identity.identify()
    const { name: flavour, title } = identity.current().flavour
    return { flavour, ...(title !== undefined && { title }) }
  }

  try {
    const { status, text } = await get(`${base.pathname}/models`)
    const answer = parseObject(text)
    if (status === 503 && answer !== undefined) return { kind: 'loading' }
    if ((status === 401 || status === 403) && answer !== undefined) {
      const { title } = await whoIsIt(undefined)
      return { kind: 'locked', url, ...(title !== undefined && { title }) }
    }
    if (status !== 200 || !isJsonObject(answer) || !isListOfModels(answer)) return { kind: 'other' }
    if (isGateway(answer)) return { kind: 'gateway' }
    const models = readModels(url, text).map(({ id }) => id)
    return { kind: 'found', url, ...(await whoIsIt(answer)), models }
  } catch (thrown) {
    return { kind: isRefused(thrown) ? 'none' : 'slow' }
  } finally {
    await client.close()
  }
}

/** Of several places for one server the first where something listens. */
export async function lookAtOneOf(places: readonly Place[], limitMs = withinMs): Promise<Sight> {
  const sights = await Promise.all(places.map((place) => lookAt(place, limitMs)))
  return sights.find(({ kind }) => kind !== 'none') ?? { kind: 'none' }
}

function beside({ pathname }: URL): string {
  return pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
}

function isListOfModels(answer: JsonObject): boolean {
  const list = 'data' in answer ? answer['data'] : answer['models']
  // Ollama before its first model.
  if (list === null) return answer['object'] === 'list'
  return Array.isArray(list) && list.every(isJsonObject)
}

function isGateway({ data }: JsonObject): boolean {
  return Array.isArray(data) && data.some((model) => isJsonObject(model) && isJsonObject(model['dragoman']))
}

const refusals = new Set(['ECONNREFUSED', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EHOSTUNREACH', 'ENETUNREACH'])

function isRefused(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ('code' in error && refusals.has(String(error.code))) return true
  }
  return false
}
