import type { KeepSettings } from '../keep.ts'
import { defineKind } from '../kind.ts'
import { createSessions } from '../sessions.ts'
import { createQwenChatUpstream, type QwenChatSettings } from './qwen-chat.ts'

const inMemory: KeepSettings = { store: 'memory', ttlMs: 1_800_000 }

export const qwenChat = defineKind({
  kind: 'qwen-chat',
  create: (name, { mode, ...settings }: QwenChatSettings, { timeouts, answerBytes, sessions = inMemory }) =>
    createQwenChatUpstream({
      ...settings,
      name,
      timeouts,
      answerBytes,
      sessions: mode === 'stateful' ? createSessions(sessions) : undefined,
    }),
})
