import type { KeySettings } from '../../config/keys.ts'
import { GatewayError } from '../../errors.ts'
import type { Exported, Info, Overview } from '../../traces/api.ts'
import { payloadLength, type Recorder } from '../../traces/recorder.ts'
import { toOverview } from '../../traces/view/overview.ts'
import type { Budgets } from '../accounts/budgets.ts'
import { mayUse } from '../quota/admission.ts'
import type { RequestContext } from '../request-context.ts'
import { send } from '../response/send.ts'
import type { Live } from './live.ts'

interface ApiOptions {
  readonly recorder: Recorder
  readonly live: Live
  readonly now: () => number
  readonly info: () => Pick<Info, 'version' | 'doors' | 'dialects' | 'needsKey'>
  readonly budgets: () => Budgets | undefined
  /** Models of the configuration: other names are words of clients. */
  readonly isModel: (name: string) => boolean
}

const mostListed = 10_000
const mostCounted = 50_000
const mostBuckets = 1000
const hourMs = 3_600_000
const idShape = /^[A-Za-z0-9]{1,80}$/

/**
 * What the page asks for. All of it is read only: nothing here changes anything, starts anything or asks anybody. With a
 * `key` it is for its owner, who sees usage and nothing that was said.
 */
export function createApi({
  recorder,
  live,
  now,
  info,
  budgets,
  isModel,
}: ApiOptions): (context: RequestContext, rest: string, key: KeySettings | undefined) => Promise<void> | void {
  async function search(context: RequestContext, text: string, limit: number): Promise<void> {
    const gone = new AbortController()
    context.response.once('close', () => gone.abort())
    const page = await recorder.search(text, limit, gone.signal)
    if (!gone.signal.aborted) sendJson(context, page)
  }

  function list(context: RequestContext): Promise<void> | void {
    const { query } = context
    const limit = readNumber(query, 'limit', 100, 1, mostListed)
    const text = readText(query, 'text')
    if (text !== undefined) return search(context, text, limit)
    const page = recorder.list({
      limit,
      before: readText(query, 'before'),
      after: readText(query, 'after'),
      conversation: readText(query, 'conversation'),
      requestId: readText(query, 'request'),
    })
    sendJson(context, page)
  }

  function find(id: string) {
    const told = idShape.test(id) ? recorder.find(id) : undefined
    if (told === undefined) throw new GatewayError('not_found', 'This exchange is not kept, or not any more.')
    return told
  }

  function exportOne(context: RequestContext, id: string): void {
    const { exchange, golden } = find(id)
    if (context.query.get('as') !== 'golden') {
      const file: Exported = { dragoman: info().version, format: 'exchange/1', exchange }
      return sendFile(context, `dragoman-${exchange.id}.json`, `${JSON.stringify(file, undefined, 2)}\n`)
    }
    if (golden === undefined) {
      const reason = exchange.hasBodies ? 'no text of a model was read in it' : 'what was said was not recorded'
      throw new GatewayError('not_found', `This exchange gives no case: ${reason}.`)
    }
    sendFile(context, `dragoman-${exchange.id}.jsonl`, `${JSON.stringify(golden)}\n`)
  }

  async function overview(context: RequestContext, key: KeySettings | undefined): Promise<void> {
    const { query } = context
    const to = readNumber(query, 'to', now() + 1, 0, Number.MAX_SAFE_INTEGER)
    const last = readNumber(query, 'last', hourMs, 0, Number.MAX_SAFE_INTEGER)
    const from = readNumber(query, 'from', Math.max(0, to - last), 0, to)
    const buckets = readNumber(query, 'buckets', 60, 1, mostBuckets)
    const summaries = recorder.between(from, to, mostCounted)
    const range = { from, to, buckets, isComplete: summaries.length < mostCounted }
    if (key === undefined) return sendJson(context, toOverview(summaries, range))
    const shown = summaries.flatMap(({ keyName, ...summary }) => {
      if (keyName === key.name) return { ...summary, keyName }
      const { model } = summary
      return model !== undefined && isModel(model) && mayUse(key, model) ? summary : []
    })
    const allowances = await (budgets()?.allowances(key) ?? Promise.resolve([])).catch(() => undefined)
    const own = { key: key.name, ...(allowances !== undefined && { allowances }) }
    sendJson(context, { ...toOverview(shown, range), own } satisfies Overview)
  }

  function follow(context: RequestContext): void {
    const id = context.query.get('id')
    if (id === null) return live.followAll(context)
    // What is not there can be told before anything is promised.
    find(id)
    live.followOne(context, id)
  }

  return (context, rest, key) => {
    const [what = '', id, more, ...others] = rest.split('/')
    if (others.length === 0) {
      if (what === 'info' && id === undefined) {
        const access = key === undefined ? 'all' : 'usage'
        const about = { ...info(), access, recording: recorder.recording, payloadLength, now: now() } satisfies Info
        return sendJson(context, about)
      }
      if (what === 'overview' && id === undefined) return overview(context, key)
      if (key !== undefined)
        throw new GatewayError('admin_only', 'What was said is for those with the token, or a key with `admin: true`.')
      if (what === 'exchanges' && id === undefined) return list(context)
      if (what === 'exchanges' && id !== undefined && more === undefined) return sendJson(context, find(id).exchange)
      if (what === 'exchanges' && id !== undefined && more === 'export') return exportOne(context, id)
      if (what === 'live' && id === undefined) return follow(context)
    }
    throw new GatewayError('not_found', 'The inspector has no such path.')
  }
}

function readText(query: URLSearchParams, name: string): string | undefined {
  return query.get(name) || undefined
}

function readNumber(query: URLSearchParams, name: string, otherwise: number, least: number, most: number): number {
  const given = query.get(name)
  if (given === null || given === '') return otherwise
  const value = /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN
  if (value >= least && value <= most) return value
  throw new GatewayError('invalid_value', `'${name}' has to be a whole number from ${least} to ${most}.`, {
    param: name,
  })
}

function sendJson(context: RequestContext, value: object): void {
  send(context, { status: 200, body: JSON.stringify(value) })
}

function sendFile(context: RequestContext, name: string, body: string): void {
  const headers = { 'content-disposition': `attachment; filename="${name}"` }
  send(context, { status: 200, body, headers })
}
