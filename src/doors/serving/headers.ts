import type { GatewayError } from '../../errors.ts'
import { type Plan, readsText } from '../../protocol/plan.ts'
import type { Door, Reply } from '../door.ts'
import type { ChangeLog } from './change-log.ts'

/** Names from a config may hold what a header may not. */
const toHeader = (value: string): string => value.replace(/[^\x20-\x7e]/g, '?')

interface Known {
  readonly requestId: string
  readonly door: Door | undefined
  readonly plan: Plan | undefined
  readonly changeLog: ChangeLog
}

/** The headers every answer carries, as far as they are known by now. */
export function headersOf({ requestId, door, plan, changeLog }: Known): Record<string, string> {
  const headers: Record<string, string> = {
    ...door?.headers?.(requestId),
    'x-request-id': requestId,
    'cache-control': 'no-store',
    // No page gets to run, show or measure an answer by loading it as something else.
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  }
  if (plan !== undefined) {
    headers['x-dragoman-mode'] = plan.mode
    headers['x-dragoman-upstream'] = toHeader(plan.upstream)
    if (plan.constraint !== undefined) headers['x-dragoman-constraint'] = plan.constraint
    if (readsText(plan.mode) && plan.dialect !== undefined) headers['x-dragoman-dialect'] = toHeader(plan.dialect)
  }
  const notice = changeLog.notice()
  if (notice !== undefined) headers['x-dragoman-notice'] = notice
  return headers
}

/** A failure as a door says it, with the headers that go with it whatever the door. */
export function withHeaders(
  reply: Reply,
  { code, retryAfterSeconds }: GatewayError,
  headers: Record<string, string> = {},
): Reply {
  return {
    ...reply,
    headers: {
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(Math.ceil(retryAfterSeconds)) }),
      ...(code === 'invalid_api_key' && { 'www-authenticate': 'Bearer' }),
      ...reply.headers,
      ...headers,
    },
  }
}
