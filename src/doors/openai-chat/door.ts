import type { Door } from '../door.ts'
import { createChunks } from './chunks.ts'
import { printCompletion } from './completion.ts'
import { printError } from './errors.ts'
import { quirksOf } from './quirks.ts'
import { readRequest } from './request.ts'
import type { Identity, Manner } from './wire.ts'

/** `POST /v1/chat/completions`. */
export const openaiChat: Door = {
  read(body, context) {
    const { request, stream, includeUsage, legacyFunctions } = readRequest(body, context.limits)
    // Several answers are several turns: no upstream is asked for more than one.
    const { choices = 1, ...single } = request
    const identity: Identity = { id: context.createId('chatcmpl-'), created: context.created, model: request.model }
    const manner: Manner = {
      includeUsage,
      legacyFunctions,
      customTools: new Set(request.tools.flatMap((tool) => (tool.kind === 'custom' ? [tool.name] : []))),
      quirks: quirksOf(context.userAgent),
    }
    return {
      model: request.model,
      streaming: stream,
      tellsUsage: !stream || includeUsage,
      requests: Array.from({ length: choices }, () => single),
      createStream: () => createChunks(identity, choices, manner),
      printBody: (events) => printCompletion(identity, events, manner),
    }
  },
  printError,
}
