import type { KeySettings } from '../../config/keys.ts'
import type { Exchange } from '../../doors/door.ts'
import { GatewayError } from '../../errors.ts'
import { countPrompt } from '../../turn/answer/usage/usage.ts'
import type { Budgets } from '../accounts/budgets.ts'
import type { RequestContext } from '../request-context.ts'
import type { Measure, Quotas } from './quota.ts'

/** Whether a key may use a model; without a list it may use all. */
export function mayUse(key: KeySettings | undefined, model: string): boolean {
  return key?.models?.some((pattern) => matches(pattern, model)) ?? true
}

function matches(pattern: string, model: string): boolean {
  const parts = pattern.split('*')
  const [first = ''] = parts
  if (parts.length === 1) return pattern === model
  const last = parts.at(-1) ?? ''
  if (model.length < first.length + last.length || !model.startsWith(first) || !model.endsWith(last)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = model.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= model.length - last.length
}

export function checkModel(key: KeySettings | undefined, model: string): void {
  if (mayUse(key, model)) return
  const allowed = key?.models?.join(', ') ?? ''
  const message = `Your API key may not use the model '${model}'. It may use: ${allowed}.`
  throw new GatewayError('model_not_allowed', message, { param: 'model' })
}

const words: Readonly<Record<Measure, (limit: number) => string>> = {
  requests: (limit) => `Your API key is limited to ${limit} requests per minute.`,
  tokens: (limit) => `Your API key is limited to ${limit} tokens per minute.`,
  parallel: (limit) => `Your API key is limited to ${limit} requests at the same time.`,
}

/** What a request asks for, and how many tokens it may take. */
interface Asked {
  readonly model: string
  tokens(): number
}

/** Lets a request in, as far as its key may still ask for answers; throws when it may not. */
export async function admit(
  context: RequestContext,
  { model, tokens }: Asked,
  { quotas, budgets }: { readonly quotas: Quotas; readonly budgets: Budgets | undefined },
): Promise<void> {
  const { key } = context
  checkModel(key, model)
  if (key === undefined) return
  if (budgets !== undefined) {
    context.budget = await budgets.left(key)
    context.spend = (promptTokens = tokens(), completionTokens = 0) =>
      budgets.spend(key, model, promptTokens, completionTokens)
  }
  const { requestsPerMinute, tokensPerMinute, parallel } = key
  const limits = { requests: requestsPerMinute, tokens: tokensPerMinute, parallel }
  if (Object.values(limits).every((limit) => limit === undefined)) return
  const admission = await quotas.admit(key.hash, key, tokensPerMinute === undefined ? 0 : tokens())
  context.standing = admission.standing
  if (admission.lease === undefined) {
    const { measure, waitMs } = admission
    const retryAfterSeconds = Math.ceil(waitMs / 1000)
    const wait = `Please try again in ${retryAfterSeconds} s.`
    const message = `${words[measure](limits[measure] ?? 0)} ${wait}`
    throw new GatewayError('rate_limit_exceeded', message, { retryAfterSeconds })
  }
  context.lease = admission.lease
  // The client may have gone while the count was asked for.
  if (context.response.closed) admission.lease.release(0)
}

/** What a request may take: its prompt, and the answer as long as it may get, where it says so. */
export function tokensOf({ requests }: Exchange): number {
  return requests.reduce((sum, request) => sum + countPrompt(request) + (request.maxTokens ?? 0), 0)
}

/** Gives back what a request did not take. What broke off in the middle is counted as it was asked for. */
export function settle(context: RequestContext): void {
  const { lease, promptTokens, completionTokens, firstByteAt } = context
  if (promptTokens !== undefined || firstByteAt !== undefined) context.spend?.(promptTokens, completionTokens)
  if (promptTokens !== undefined) lease?.release(promptTokens + (completionTokens ?? 0))
  else lease?.release(firstByteAt === undefined ? 0 : undefined)
}
