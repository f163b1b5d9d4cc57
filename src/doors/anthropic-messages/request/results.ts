import type { JsonObject } from '../../../protocol/json.ts'
import type { Part, ToolMessage } from '../../../protocol/message.ts'
import { saysFailure } from '../../../protocol/text/failure.ts'
import { readPart } from './parts.ts'
import { type Reading, textIn, toBlocks } from './reading.ts'

interface Result {
  readonly message: ToolMessage
  /** What is no text: services take it from users only. */
  readonly shown: readonly Part[]
}

export function readResult(block: JsonObject, reading: Reading): Result {
  const parts = toBlocks(block['content']).flatMap((inner) => readPart(inner, reading))
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  const shown = parts.filter((part) => part.type !== 'text')
  const told = text === '' && shown.length > 0 ? '(see the next message)' : text
  return {
    message: {
      role: 'tool',
      callId: textIn(block, 'tool_use_id'),
      content: block['is_error'] === true ? toFailure(told) : told,
    },
    shown,
  }
}

function toFailure(text: string): string {
  return saysFailure(text) ? text : `Error: ${text || 'the tool failed and gave no reason.'}`
}
