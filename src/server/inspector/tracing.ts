import type { Clock } from '../../clock.ts'
import type { GatewayError } from '../../errors.ts'
import type { Info } from '../../traces/api.ts'
import type { Recorder } from '../../traces/recorder.ts'
import { hideHeaders, hidePath } from '../../traces/view/redact.ts'
import { type Keyring, keysIn } from '../access/auth.ts'
import type { Budgets } from '../accounts/budgets.ts'
import type { OwnRoute, RequestContext } from '../request-context.ts'
import { createInspector } from './inspector.ts'
import type { Token } from './token.ts'

/** What a gateway records, and whom it shows it. */
export interface TraceOptions {
  readonly recorder: Recorder
  /** Opens the inspector at `/inspector`; without it, or without its page, there is none. */
  readonly token?: Token
  /** What `x-dragoman-dialect` may say, for people. */
  readonly dialects?: readonly string[]
  /** Where the built page is. */
  readonly folder?: string
}

interface Surroundings {
  readonly clock: Clock
  readonly needsToken: () => boolean
  readonly secrets: () => readonly string[]
  readonly info: () => Pick<Info, 'version' | 'doors' | 'needsKey'>
  readonly keyring: () => Keyring
  readonly budgets: () => Budgets | undefined
  readonly isModel: (name: string) => boolean
  readonly onInspect: (context: RequestContext) => void
}

interface Tracing {
  /** Begins to record what is asked at a door. */
  record(context: RequestContext): void
  readonly routes: readonly OwnRoute[]
  close(): void
}

const nothing: Tracing = { record: () => undefined, routes: [], close: () => undefined }

export function createTracing(options: TraceOptions | undefined, around: Surroundings): Tracing {
  if (options === undefined) return nothing
  const { recorder, token, dialects = [], folder } = options
  const record = (context: RequestContext): void => {
    if (recorder.isOn) beginRecording(context, recorder, around.secrets())
  }
  if (token === undefined || folder === undefined) return { ...nothing, record }
  const { info, onInspect } = around
  const inspector = createInspector({
    ...around,
    recorder,
    token,
    info: () => ({ ...info(), dialects }),
    folder,
  })
  const run: OwnRoute['run'] = (context, arrival) => {
    onInspect(context)
    return inspector.respond(context, arrival)
  }
  const routes = [
    ...['/inspector', '/inspector/'].map((path) => ({ method: 'GET', path, run }) as const),
    { method: 'POST', path: '/inspector', run: inspector.signIn } as const,
  ]
  return { record, routes, close: inspector.close }
}

/** Begins to record what a client asks at a door, where anything is recorded. */
function beginRecording(context: RequestContext, recorder: Recorder, secrets: readonly string[]): void {
  const { request, requestId, path, key, door } = context
  const { headers, rawHeaders, method = '', url = path } = request
  context.recording = recorder.begin({
    requestId,
    client: readClientName(headers['user-agent']),
    ...(key !== undefined && { keyName: key.name }),
    door: door?.name ?? '',
    method,
    path,
    url: hidePath(url),
    headers: hideHeaders(rawHeaders),
    secrets: [...secrets, ...keysIn(headers)],
  })
}

interface Ending {
  readonly status: number
  readonly ms: number
  readonly firstByteMs: number | undefined
  readonly isGone: boolean
}

export function endRecording(context: RequestContext, { status, ms, firstByteMs, isGone }: Ending): void {
  const { recording, error, calls = 0, notes, changeLog } = context
  recording?.end({
    state: stateOf(isGone, status, error),
    status,
    error,
    calls,
    notes,
    changes: changeLog.changes(error),
    firstByteMs,
    totalMs: ms,
  })
}

function stateOf(isGone: boolean, status: number, error: GatewayError | undefined): 'done' | 'failed' | 'aborted' {
  if (isGone) return 'aborted'
  return error !== undefined || status >= 400 ? 'failed' : 'done'
}

const mostLength = 60

/** Who asks, by its user agent: the first product it names, without its version. */
export function readClientName(userAgent: string | undefined): string {
  if (userAgent === undefined || userAgent.trim() === '') return 'unknown'
  // Every browser says it is Mozilla.
  if (/^mozilla\//i.test(userAgent)) return 'browser'
  // The SDKs of OpenAI and Anthropic write their language where others write a version.
  const [product = 'unknown'] = userAgent.trim().split(/\s+/)
  const [name = product, version = ''] = product.split('/')
  return (/^\d|^v\d|^$/.test(version) ? name : `${name}/${version}`).replace(/[^\x20-\x7e]/g, '?').slice(0, mostLength)
}
