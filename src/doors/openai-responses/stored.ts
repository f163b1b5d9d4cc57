import { GatewayError } from '../../errors.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../protocol/json.ts'
import { type DoorContext, type Reply, reply, type Store } from '../door.ts'
import { quoted } from '../shared/fields.ts'
import { typeOf } from './request/items.ts'

/** A response that was kept: as it was answered, and all that had been said before it. */
export interface Kept {
  readonly response: JsonObject
  readonly input: readonly JsonObject[]
  /** An item the client was not given, and that goes with the others. */
  readonly unseen?: JsonObject
}

const responseKey = (id: string): string => `response:${id}`
const itemKey = (id: string): string => `item:${id}`

async function findResponse(store: Store, id: string): Promise<Kept | undefined> {
  const kept = parseJson((await store.get(responseKey(id))) ?? '')
  if (!isJsonObject(kept) || !isJsonObject(kept['response']) || !Array.isArray(kept['input'])) return undefined
  const { response, input, unseen } = kept
  return { response, input: input.filter(isJsonObject), ...(isJsonObject(unseen) && { unseen }) }
}

/** What is looked for in the memory of a connection first. Texts stay where they were found. */
export function withMemory(store: Store, memory: Store): Store {
  return {
    get: async (key) => (await memory.get(key)) ?? (await store.get(key)),
    set: async (key, text) => await ((await memory.get(key)) === undefined ? store : memory).set(key, text),
    delete: async (key) => {
      await Promise.all([memory.delete(key), store.delete(key)])
    },
  }
}

interface Keeping {
  /** As JSON. */
  readonly response: string
  readonly input: readonly JsonObject[]
  readonly output: readonly JsonObject[]
  readonly unseen: JsonObject | undefined
}

/** It can be asked for, continued, and its items be named, until it expires. */
export async function keepResponse(
  store: Store,
  id: string,
  { response, input, output, unseen }: Keeping,
): Promise<void> {
  const rest = JSON.stringify({ input, unseen }).slice(1)
  await Promise.all([
    store.set(responseKey(id), `{"response":${response},${rest}`),
    ...output.map((item) => store.set(itemKey(idOf(item)), JSON.stringify(item))),
  ])
}

async function forgetResponse(store: Store, id: string): Promise<void> {
  const kept = await findResponse(store, id)
  const items = kept === undefined ? [] : outputOf(kept)
  await Promise.all([store.delete(responseKey(id)), ...items.map((item) => store.delete(itemKey(idOf(item))))])
}

function outputOf({ response }: Kept): readonly JsonObject[] {
  return Array.isArray(response['output']) ? response['output'].filter(isJsonObject) : []
}

/** What was said up to the end of an earlier response. Without it there is no answer: a model must not guess. */
export async function findHistory(store: Store, id: string): Promise<readonly JsonObject[]> {
  const kept = await findResponse(store, id)
  if (kept !== undefined) return [...kept.input, ...outputOf(kept), ...(kept.unseen === undefined ? [] : [kept.unseen])]
  throw new GatewayError(
    'previous_response_not_found',
    `Previous response with id ${quoted(id)} not found. It was never stored here, or it has expired. Send the whole conversation as 'input'.`,
    { param: 'previous_response_id' },
  )
}

interface Resolved {
  readonly items: readonly { readonly fields: JsonObject; readonly index: number }[]
  /** How many references meant nothing. */
  readonly lost: number
}

/**
 * Items with each reference replaced by what it means. One that means nothing any more is left out where its turn is
 * there in full otherwise, so that a restart of the gateway does not end a session.
 */
export async function resolveReferences(store: Store, items: readonly JsonObject[]): Promise<Resolved> {
  let lost = 0
  const resolved = await Promise.all(
    items.map(async (fields, index) => {
      if (typeOf(fields) !== 'item_reference') return { fields, index }
      const id = idOf(fields)
      const kept = await store.get(itemKey(id))
      const item = parseJson(kept ?? '')
      if (kept !== undefined && isJsonObject(item)) {
        // An item that is still in use does not expire.
        await store.set(itemKey(id), kept)
        return { fields: item, index }
      }
      if (!isBesideCall(items, index)) {
        throw new GatewayError(
          'item_not_found',
          `Item with id ${quoted(id)} not found. It was never stored here, or it has expired. Send the item itself.`,
          { param: `input[${index}].id` },
        )
      }
      lost += 1
      return undefined
    }),
  )
  return { items: resolved.filter((item) => item !== undefined), lost }
}

const calls: ReadonlySet<string> = new Set(['function_call', 'custom_tool_call', 'tool_search_call'])

/** Whether the turn of an assistant that an item belongs to has calls. */
function isBesideCall(items: readonly JsonObject[], index: number): boolean {
  const isUser = (item: JsonObject): boolean => typeOf(item) === 'message' && item['role'] === 'user'
  const from = items.slice(0, index).findLastIndex(isUser) + 1
  const to = items.findIndex((item, place) => place > index && isUser(item))
  return items.slice(from, to === -1 ? items.length : to).some((item) => calls.has(typeOf(item)))
}

export function idOf(item: JsonObject): string {
  return typeof item['id'] === 'string' ? item['id'] : ''
}

async function find({ store }: DoorContext, id: string): Promise<Kept> {
  const kept = await findResponse(store, id)
  if (kept !== undefined) return kept
  throw new GatewayError(
    'response_not_found',
    `Response with id ${quoted(id)} not found. It was never stored here, or it has expired.`,
    { param: 'response_id' },
  )
}

/** `GET /v1/responses/{id}` and `…/{id}/input_items`. */
export async function answerGet(context: DoorContext): Promise<Reply> {
  const [id = '', ...more] = context.rest.split('/')
  const what = more.join('/')
  if (context.query('stream') === 'true') {
    const message =
      "Unsupported parameter: 'stream'. A stored response is complete and cannot be streamed. Leave the parameter out."
    throw new GatewayError('unsupported_parameter', message, { param: 'stream' })
  }
  if (what === '') return reply(JSON.stringify((await find(context, id)).response))
  if (what === 'input_items') return reply(JSON.stringify(listItems((await find(context, id)).input, context)))
  throw nothing(what)
}

export async function answerDelete(context: DoorContext): Promise<Reply> {
  const id = context.rest
  await find(context, id)
  await forgetResponse(context.store, id)
  return reply(JSON.stringify({ id, object: 'response', deleted: true }))
}

/** A response that is kept is over: there is nothing left to cancel, and it is given as it stands. */
export async function answerCancel(context: DoorContext): Promise<Reply> {
  const [id = '', ...more] = context.rest.split('/')
  if (more.join('/') !== 'cancel') throw nothing(more.join('/'))
  return reply(JSON.stringify((await find(context, id)).response))
}

export function refuseCompaction(): never {
  throw new GatewayError(
    'unsupported_endpoint',
    'This gateway does not compact conversations. Ask the model for a summary and continue from there.',
  )
}

function nothing(what: string): GatewayError {
  return new GatewayError('unsupported_endpoint', `Unknown path: a response has no ${quoted(what)}.`)
}

const pageLength = 20
const longestPage = 100

/** A page of items, the newest first where nothing else is said. */
function listItems(input: readonly JsonObject[], { query }: Pick<DoorContext, 'query'>): JsonObject {
  const ordered = query('order') === 'asc' ? input : input.toReversed()
  const after = query('after')
  const from = after === undefined ? 0 : ordered.findIndex((item) => idOf(item) === after) + 1
  const wanted = Number(query('limit') ?? pageLength)
  const length = Number.isInteger(wanted) ? Math.min(Math.max(wanted, 1), longestPage) : pageLength
  const data = ordered.slice(from, from + length)
  const [first] = data
  const last = data.at(-1)
  return {
    object: 'list',
    data,
    first_id: first === undefined ? null : idOf(first),
    last_id: last === undefined ? null : idOf(last),
    has_more: from + length < ordered.length,
  }
}
