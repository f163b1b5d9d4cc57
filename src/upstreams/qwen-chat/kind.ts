import { z } from 'zod'
import { choice, text, urlWords } from '../../config/values/fields.ts'
import { connectionFields, gateFields, toConnection } from '../fields.ts'
import { defineKind } from '../kind.ts'
import { createSessions, type StoreSettings } from '../store.ts'
import { createQwenChatUpstream, type QwenChatSettings } from './qwen-chat.ts'

const inMemory: StoreSettings = { store: 'memory', ttlMs: 1_800_000 }

export const qwenChat = defineKind({
  kind: 'qwen-chat',
  fields: () => ({
    url: z
      .url({ protocol: /^https?$/, error: urlWords })
      .default('https://chat.qwen.ai')
      .describe('Where its web chat is.'),
    key: text('a token, env:NAME or passthrough')
      .optional()
      .describe("Your own token for the web page, best as env:NAME. `passthrough` sends the client's key on."),
    mode: choice(['replay', 'stateful'])
      .default('replay')
      .describe(
        'Send the whole conversation into a fresh chat each time, or continue chats and send only what is new.',
      ),
    parent: choice(['response_id', 'parent_id'])
      .default('response_id')
      .describe('Which id of an answer the next message refers to, when chats are continued.'),
    thinking: choice(['off', 'on', 'auto']).default('off').describe('Whether the model thinks first.'),
    ...connectionFields,
    ...gateFields,
  }),
  toSettings: ({ proxy, ca, ...file }, reading): QwenChatSettings => ({
    ...file,
    ...toConnection({ proxy, ca }, reading),
  }),
  create: (name, { mode, ...settings }, { timeouts, limits, sessions = inMemory }) =>
    createQwenChatUpstream({
      ...settings,
      name,
      timeouts,
      limits,
      sessions: mode === 'stateful' ? createSessions(sessions) : undefined,
    }),
})
