import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KeySettings } from '../config/keys.ts'
import type { Door } from '../doors/door.ts'
import type { GatewayError } from '../errors.ts'
import type { NoteKind } from '../protocol/note.ts'
import { type Plan, readsText } from '../protocol/plan.ts'
import type { Recording } from '../traces/recording/recording.ts'
import type { TurnObserver } from '../turn/observer.ts'
import { toHeaders } from './quota/headers.ts'
import type { Lease, Standing } from './quota/quota.ts'
import { Trail } from './telemetry/trail.ts'

const acceptableId = /^[\w.:-]{1,128}$/

/** One request being answered, and what has been learnt about it for headers and the log. */
export class Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** The path without query and trailing slash. */
  readonly path: string
  readonly query: URLSearchParams
  /** The web page that asks and may read the answer. */
  origin: string | undefined
  /** Aborts when the client has gone, when the gateway closes, or when the answer failed. */
  readonly abort = new AbortController()
  /** Traces it through other programs, where somebody wants that. */
  observer: TurnObserver | undefined
  /** Where it was let in. */
  door: Door | undefined
  clientKey: string | undefined
  /** The gateways it has come through, this one included. */
  via: string | undefined
  /** The key of this gateway the client came with. */
  key: KeySettings | undefined
  /** What it was let in with, and how its key stood then. */
  lease: Lease | undefined
  standing: Standing | undefined
  model: string | undefined
  /** The answer is sent as it comes. */
  isStream = false
  plan: Plan | undefined
  calls: number | undefined
  /** When the model said its first thing. */
  firstByteAt: number | undefined
  promptTokens: number | undefined
  completionTokens: number | undefined
  readonly notes = new Set<NoteKind>()
  readonly trail = new Trail()
  /** Where it is being recorded. */
  recording: Recording | undefined
  /** Somebody looks at the gateway itself: that is no news. */
  isQuiet = false
  error: GatewayError | undefined
  /** The error was sent past the response: its connection could not be read on. */
  refused = false

  constructor(request: IncomingMessage, response: ServerResponse, createId: (prefix: string) => string) {
    const given = request.headers['x-request-id']
    const [path = '', ...query] = (request.url ?? '').split('?')
    this.request = request
    this.response = response
    this.requestId = typeof given === 'string' && acceptableId.test(given) ? given : createId('req_')
    this.path = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
    this.query = new URLSearchParams(query.join('?'))
  }
}

/** Names from a config may hold what a header may not. */
const toHeader = (value: string): string => value.replace(/[^\x20-\x7e]/g, '?')

const exposed = [
  'x-request-id, request-id, retry-after, x-dragoman-mode, x-dragoman-dialect, x-dragoman-constraint, x-dragoman-upstream, x-dragoman-notice',
  ...['limit', 'remaining', 'reset'].map((what) => `x-ratelimit-${what}-requests, x-ratelimit-${what}-tokens`),
].join(', ')

type Known = Pick<Visit, 'requestId' | 'plan' | 'trail' | 'origin' | 'door' | 'standing'>

/** The headers every answer carries, as far as they are known by now. */
export function headersOf({ requestId, plan, trail, origin, door, standing }: Known): Record<string, string> {
  const headers: Record<string, string> = {
    ...door?.headers?.(requestId),
    'x-request-id': requestId,
    'cache-control': 'no-store',
    // No page gets to run, show or measure an answer by loading it as something else.
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    ...toHeaders(standing),
  }
  if (origin !== undefined) {
    headers['access-control-allow-origin'] = origin
    headers['access-control-expose-headers'] = exposed
    headers['vary'] = 'origin'
  }
  if (plan !== undefined) {
    headers['x-dragoman-mode'] = plan.mode
    headers['x-dragoman-upstream'] = toHeader(plan.upstream)
    if (plan.constraint !== undefined) headers['x-dragoman-constraint'] = plan.constraint
    if (readsText(plan.mode) && plan.dialect !== undefined) headers['x-dragoman-dialect'] = toHeader(plan.dialect)
  }
  const notice = trail.notice()
  if (notice !== undefined) headers['x-dragoman-notice'] = notice
  return headers
}
