import { GatewayError } from '../../../errors.ts'
import type { Refusal } from '../../refusals/refusal.ts'
import type { HttpHead } from '../../wire/http.ts'

/** Answers worth reading pass, at once; everything else is thrown as what it means. */
export function expectAnswer(
  upstream: string,
  head: HttpHead,
  body: () => Promise<string>,
  refuse: (refusal: Omit<Refusal, 'upstream'>) => GatewayError,
): Promise<never> | undefined {
  const encoding = head.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new GatewayError(
      'upstream_malformed',
      `${upstream}: its response is compressed with "${encoding}", which was not requested.`,
    )
  }
  if (head.status >= 200 && head.status < 300) return undefined
  return refusalBody(head, body).then((words) => {
    throw refuse({ status: head.status, body: words, retryAfter: head.headers['retry-after'] })
  })
}

async function refusalBody(head: HttpHead, body: () => Promise<string>): Promise<string> {
  if (head.status < 400) return `it points to ${head.headers.location ?? 'another place'}`
  try {
    return await body()
  } catch (thrown) {
    // A refusal without its words is still that refusal, unless it was us who stopped reading.
    if (thrown instanceof GatewayError) throw thrown
    return ''
  }
}
