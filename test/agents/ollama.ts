import { checkBody, checkError, checkLines } from '../doors/ollama-checker.ts'
import type { Exchange } from './recorder.ts'

/** Whether an exchange was one of Ollama's. */
export function isOllama({ path }: Exchange): boolean {
  return path.split('?')[0]?.endsWith('/api/chat') === true
}

export function judgeOllama({ status, answered, aborted, headers }: Exchange): readonly string[] {
  if (status === 0 || aborted) return []
  if (status >= 400) return checkError(status, answered)
  return isStream(headers) ? checkLines(answered) : checkBody(answered)
}

export function ollamaText(exchange: Exchange): string {
  return messagesIn(exchange)
    .map(({ content }) => content)
    .join('')
}

/** The arguments of each call. */
export function ollamaArguments(exchange: Exchange): readonly string[] {
  return messagesIn(exchange)
    .flatMap(({ tool_calls: calls = [] }) => calls)
    .map((call) => JSON.stringify(call.function.arguments))
}

interface Message {
  readonly content: string
  readonly tool_calls?: readonly { readonly function: { readonly arguments: object } }[]
}

function messagesIn({ status, answered }: Exchange): readonly Message[] {
  if (status !== 200) return []
  return answered
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => JSON.parse(line).message ?? [])
}

function isStream(headers: Exchange['headers']): boolean {
  return headers['content-type']?.startsWith('application/x-ndjson') === true
}
