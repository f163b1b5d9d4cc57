import { GatewayError } from '../../../errors.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import { type DoorContext, type Reply, reply } from '../../door.ts'
import { quoted } from '../../shared/fields.ts'
import { findResponse, forgetResponse, idOf, type Kept } from './kept.ts'

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
