import { defineKind } from '../kind.ts'
import { createSessions, type SessionSettings } from '../sessions.ts'
import { createQwenChatUpstream, type QwenChatSettings } from './qwen-chat.ts'

const inMemory: SessionSettings = { store: 'memory', ttlMs: 1_800_000 }

export const qwenChat = defineKind({
  kind: 'qwen-chat',
  create: (name, { mode, ...settings }: QwenChatSettings, { timeouts, answerBytes, eventBytes, sessions = inMemory }) =>
    createQwenChatUpstream({
      ...settings,
      name,
      timeouts,
      answerBytes,
      eventBytes,
      sessions: mode === 'stateful' ? createSessions(sessions) : undefined,
    }),
})
