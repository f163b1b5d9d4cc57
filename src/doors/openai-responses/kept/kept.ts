import { GatewayError } from '../../../errors.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../../protocol/json.ts'
import type { Store } from '../../door.ts'
import { quoted } from '../../shared/fields.ts'
import { typeOf } from '../request/items.ts'

/** A response that was kept: as it was answered, and all that had been said before it. */
export interface Kept {
  readonly response: JsonObject
  readonly input: readonly JsonObject[]
  /** An item the client was not given, and that goes with the others. */
  readonly unseen?: JsonObject
}

const responseKey = (id: string): string => `response:${id}`
const itemKey = (id: string): string => `item:${id}`

export async function findResponse(store: Store, id: string): Promise<Kept | undefined> {
  const kept = parseJson((await store.get(responseKey(id))) ?? '')
  if (!isJsonObject(kept) || !isJsonObject(kept['response']) || !Array.isArray(kept['input'])) return undefined
  const { response, input, unseen } = kept
  return { response, input: input.filter(isJsonObject), ...(isJsonObject(unseen) && { unseen }) }
}

interface Keeping {
  /** As JSON. */
  readonly response: string
  readonly input: readonly JsonObject[]
  readonly output: readonly JsonObject[]
  readonly unseen: JsonObject | undefined
}

/** Whoever asks for it later finds it as it stands, and so do those who name its items. */
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

export async function forgetResponse(store: Store, id: string): Promise<void> {
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
        // What is still spoken of lives on.
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
