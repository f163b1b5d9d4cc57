import { GatewayError } from '../../errors.ts'
import { isJsonObject, type JsonObject, parseObject } from '../../protocol/json.ts'
import { complains, readRefusal } from '../refusals/complaints.ts'
import { redact } from '../refusals/redact.ts'
import { classifyRefusal, waitWords, withoutRetryWords } from '../refusals/refusal.ts'

/** What can be done about a failure that need not be the last word: wait and ask again, or begin a new chat. */
export type Remedy = 'wait' | 'rebuild'

class Remediable extends GatewayError {
  readonly remedy: Remedy

  constructor(remedy: Remedy, ...failure: ConstructorParameters<typeof GatewayError>) {
    super(...failure)
    this.remedy = remedy
  }
}

export function remedyFor(thrown: unknown): Remedy | undefined {
  return thrown instanceof Remediable ? thrown.remedy : undefined
}

const MAX_MESSAGE_CHARACTERS = 500

/** The signs of the guard in front of the service, in its own words. */
const challenge = /FAIL_SYS_USER_VALIDATE|RGV587|\/punish\?|captcha/i
const unauthorized = /unauthorized|token has expired/i
const busy = /the chat is in progress/i
const gone = /is not exist|not_found/i

export interface Refused {
  readonly upstream: string
  readonly status: number
  /** The body as it came: most refusals of this service are JSON with status 200. */
  readonly body: string
  readonly retryAfter?: string | undefined
  readonly secrets: readonly string[]
}

/** The one verdict on a body that is no answer. */
export function classify(refused: Refused): GatewayError {
  const { upstream, status, body, secrets, retryAfter } = refused
  const value = parseObject(body)
  if (challenge.test(body) || (value === undefined && body.trimStart().startsWith('<'))) {
    const remedy = 'Open the website with this account and solve the puzzle there. Dragoman cannot do that for you.'
    return new GatewayError('upstream_blocked', `${upstream}: its bot protection wants to see a human. ${remedy}`)
  }
  const data = isJsonObject(value?.['data']) ? value['data'] : {}
  const details = redact(textOf(data['details']) || readRefusal(value ?? body).message || body.trim(), secrets).slice(
    0,
    MAX_MESSAGE_CHARACTERS,
  )
  const labels = `${textOf(data['code'])} ${details}`
  if (data['code'] === 'RateLimited') {
    const hours = typeof data['num'] === 'number' && data['num'] > 0 ? data['num'] : undefined
    const seconds = hours && Math.ceil(hours * 3600)
    const remedy = seconds === undefined ? '' : ` Try again in ${waitWords(seconds)}.`
    const message = `${upstream}: ${details || 'The quota of this account is used up.'}${remedy}`
    return new GatewayError('insufficient_quota', message, { retryAfterSeconds: seconds })
  }
  if (status === 401 || status === 403 || unauthorized.test(labels)) {
    const message = `${upstream}: the token was rejected (${withoutRetryWords(details) || 'no reason given'}). Sign in again and put the new token into the config file.`
    return new GatewayError('upstream_auth', message)
  }
  if (busy.test(details)) {
    const message = `${upstream}: the chat is still busy with an earlier message. Try again in a moment.`
    return new Remediable('wait', 'upstream_overloaded', message, { retryAfterSeconds: 5 })
  }
  if (gone.test(labels)) {
    return new Remediable('rebuild', 'upstream_error', `${upstream}: the chat no longer exists (${details}).`)
  }
  if (status >= 300) {
    const missing = 'is the URL right? The default is https://chat.qwen.ai'
    return classifyRefusal({ upstream, status, body: value ?? body, retryAfter, secrets, missing })
  }
  return new GatewayError(
    'upstream_error',
    `${upstream}: ${details || 'the request was refused, and no reason was given'}`,
  )
}

/** Whether an event of a stream is a refusal and no part of an answer. */
export function isRefusal(value: JsonObject): boolean {
  return complains(value) === 'surely'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
