import { anthropicMessages } from './anthropic-messages/door.ts'
import type { Door } from './door.ts'
import { ollama } from './ollama/door.ts'
import { openaiChat } from './openai-chat/door.ts'
import { openaiResponses } from './openai-responses/door.ts'

/** All doors. What is wrong at a path of none is said by the first. */
export const doors: readonly [Door, ...Door[]] = [openaiChat, openaiResponses, anthropicMessages, ollama]
