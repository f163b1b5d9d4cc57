import { createHash } from 'node:crypto'
import type { UpstreamRequest } from '../upstream.ts'

/** Where a request can be gone on from, and what to call the place its answer will be. */
export interface Chain {
  /** The key of everything up to the last thing the assistant said; none when somebody else must be heard in full. */
  readonly before: string | undefined
  /** The messages after that, by their index. */
  readonly newFrom: number
  /** The key of the conversation once an answer with this mark has been added. */
  after(mark: string): string
}

/**
 * Every key is a hash over all that was said before it, and over whom it was said to and by whom. So the same beginning
 * of two people's conversations are two keys, and another word, another tool or another model is another key.
 */
export function createChain(request: UpstreamRequest, marks: readonly string[], salt: readonly string[]): Chain {
  const { messages, model, thread } = request
  const systems = marks.filter((_, index) => messages[index]?.role === 'system')
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  let link = digest(JSON.stringify([...salt, model, thread?.owner ?? '', ...systems]))
  let before: string | undefined
  for (const [index, { role }] of messages.entries()) {
    if (role === 'system') continue
    link = digest(`${link}\n${marks[index] ?? ''}`)
    if (index === last) before = link
  }
  const isContinued = messages.some(({ role }, index) => index > last && role === 'user')
  return {
    before: isContinued ? before : undefined,
    newFrom: last + 1,
    after: (mark) => digest(`${link}\n${mark}`),
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
