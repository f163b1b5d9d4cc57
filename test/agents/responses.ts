import { checkBody, checkStream } from '../doors/responses-checker.ts'
import type { Exchange } from './recorder.ts'

/** Whether an exchange was one of OpenAI's responses. */
export function isResponses({ path }: Exchange): boolean {
  return path.split('?')[0]?.endsWith('/responses') === true
}

export function judgeResponses(exchange: Exchange): readonly string[] {
  if (exchange.status !== 200 || exchange.aborted) return []
  try {
    outputOf(exchange)
    return []
  } catch (thrown) {
    return [thrown instanceof Error ? thrown.message : String(thrown)]
  }
}

export function responseText(exchange: Exchange): string {
  const contents = outputOf(exchange).flatMap(({ content = [] }) => content)
  return contents.map(({ text = '' }) => text).join('')
}

/** The arguments of each call. */
export function responseArguments(exchange: Exchange): readonly string[] {
  return outputOf(exchange).flatMap(({ arguments: json, input }) => {
    if (input !== undefined) return [JSON.stringify({ input })]
    return typeof json === 'string' ? [json] : []
  })
}

interface Item {
  readonly content?: readonly { readonly text?: string }[]
  readonly arguments?: unknown
  readonly input?: string
}

/** What was answered, if it is as it should be. */
function outputOf({ status, answered, aborted, headers }: Exchange): readonly Item[] {
  if (status !== 200 || aborted) return []
  if (headers['content-type']?.startsWith('text/event-stream'))
    return checkStream(answered)['output'] as readonly Item[]
  const response = JSON.parse(answered)
  checkBody(response)
  return response.output
}
