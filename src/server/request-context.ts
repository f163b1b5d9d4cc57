import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KeySettings } from '../config/keys.ts'
import type { Door } from '../doors/door.ts'
import { ChangeLog } from '../doors/serving/change-log.ts'
import { headersOf as answerHeaders } from '../doors/serving/headers.ts'
import type { GatewayError } from '../errors.ts'
import type { NoteKind } from '../protocol/note.ts'
import type { Plan } from '../protocol/plan.ts'
import type { Recording } from '../traces/recording/recording.ts'
import type { TurnObserver } from '../turn/observer.ts'
import { type Lease, type Standing, toHeaders } from './quota/quota.ts'

const acceptableId = /^[\w.:-]{1,128}$/

/** One request being answered, and what has been learnt about it for headers and the log. */
export class RequestContext {
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
  /** For traces. */
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
  /** What was left of its key's budgets then. */
  budget: Readonly<Record<string, number>> = {}
  /** Counts what it took; what is not known, as it was asked for. */
  spend: ((promptTokens: number | undefined, completionTokens: number | undefined) => void) | undefined
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
  readonly changeLog = new ChangeLog()
  /** Where it is being recorded. */
  recording: Recording | undefined
  /** A request to the inspector: not logged, not counted. */
  isQuiet = false
  error: GatewayError | undefined
  /** The error was sent past the response: its connection could not be read on. */
  refused = false

  constructor(request: IncomingMessage, response: ServerResponse, createId: (prefix: string) => string) {
    const given = request.headers['x-request-id']
    const [, ...query] = (request.url ?? '').split('?')
    this.request = request
    this.response = response
    this.requestId = typeof given === 'string' && acceptableId.test(given) ? given : createId('req_')
    this.path = pathOf(request.url)
    this.query = new URLSearchParams(query.join('?'))
  }
}

/** Without query and trailing slash. */
export function pathOf(url = ''): string {
  const [path = ''] = url.split('?')
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

const exposed = [
  'x-request-id, request-id, retry-after, x-dragoman-mode, x-dragoman-dialect, x-dragoman-constraint, x-dragoman-upstream, x-dragoman-notice, x-dragoman-budget',
  ...['limit', 'remaining', 'reset'].map((what) => `x-ratelimit-${what}-requests, x-ratelimit-${what}-tokens`),
].join(', ')

/** The headers of an answer, with those that only a server has: of limits, and for web pages of other origins. */
export function headersOf(context: RequestContext): Record<string, string> {
  const headers = { ...answerHeaders(context), ...toHeaders(context.standing), ...toBudgetHeader(context.budget) }
  if (context.origin !== undefined) {
    headers['access-control-allow-origin'] = context.origin
    headers['access-control-expose-headers'] = exposed
    headers['vary'] = 'origin'
  }
  return headers
}

/** `tokens_per_day=120000, cost_per_month=4.2`: what is left. */
function toBudgetHeader(budget: Readonly<Record<string, number>>): Record<string, string> {
  const left = Object.entries(budget).map(([name, amount]) => `${name}=${Number(amount.toFixed(6))}`)
  return left.length === 0 ? {} : { 'x-dragoman-budget': left.join(', ') }
}

/** A page of the server's own, which needs no key. */
export interface OwnRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly run: (
    context: RequestContext,
    arrival: { readonly rest: string; readonly isLink: boolean },
  ) => Promise<void> | void
}
