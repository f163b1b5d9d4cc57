import { checkError, checkMessage, checkStream } from '../doors/messages-checker.ts'
import type { Exchange } from './recorder.ts'

/** Whether an exchange was one of Anthropic's messages. */
export function isMessages({ path }: Exchange): boolean {
  return path.split('?')[0]?.endsWith('/messages') === true
}

export function judgeMessages({ status, answered, aborted, headers }: Exchange): readonly string[] {
  if (status === 0 || aborted) return []
  if (status >= 400) return checkError(JSON.parse(answered))
  return isStream(headers) ? checkStream(answered).faults : checkMessage(JSON.parse(answered))
}

export function messageText(exchange: Exchange): string {
  return blocksIn(exchange)
    .map(({ text }) => text ?? '')
    .join('')
}

/** The input of each call. */
export function messageArguments(exchange: Exchange): readonly string[] {
  return blocksIn(exchange).flatMap(({ type, input }) => (type === 'tool_use' ? [JSON.stringify(input)] : []))
}

interface Block {
  readonly type: string
  readonly text?: string
  readonly input?: unknown
}

function blocksIn({ status, answered, headers }: Exchange): readonly Block[] {
  if (status !== 200) return []
  const message = isStream(headers) ? checkStream(answered).message : JSON.parse(answered)
  return (message?.content ?? []) as readonly Block[]
}

function isStream(headers: Exchange['headers']): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true
}
