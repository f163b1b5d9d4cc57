import { onTestFinished } from 'vitest'
import type { Event } from '../../src/protocol/event.ts'
import { fold } from '../../src/protocol/fold.ts'
import { type AssistantMessage, inUsualOrder, type Message } from '../../src/protocol/message.ts'
import type { Request } from '../../src/protocol/request.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { defaultSettings, type ModelSettings } from '../../src/turn/settings.ts'
import { createTurns } from '../../src/turn/turns.ts'
import { createQwenChatUpstream, type QwenChatOptions } from '../../src/upstreams/qwen-chat/qwen-chat.ts'
import { createSessions, type Sessions } from '../../src/upstreams/store.ts'
import { type QwenDoubleOptions, startQwenDouble } from '../doubles/qwen-chat.ts'

export const read: Tool = {
  kind: 'function',
  name: 'read',
  description: 'Read a file',
  parameters: { type: 'object', properties: { filePath: { type: 'string' } }, required: ['filePath'] },
}

const timeouts = { connectMs: 2000, firstEventMs: 5000, idleMs: 5000, totalMs: 10_000 }

/** 2025-10-26, with milliseconds to tell seconds from them. */
const nowMs = 1_761_490_229_218

/** The Qwen double behind a real upstream behind real turns; `restart` is a second gateway on the same service. */
export async function startStage(options: QwenDoubleOptions & Partial<QwenChatOptions>) {
  const double = await startQwenDouble(options)
  const waits: number[] = []
  let made = 0
  onTestFinished(() => double.close())

  function open(more: Partial<QwenChatOptions> = {}, settings: Partial<ModelSettings> = {}) {
    const upstream = createQwenChatUpstream({
      name: 'qwen',
      url: double.url,
      key: 'token-of-ada',
      timeouts,
      newId: () => `id-${++made}`,
      clock: {
        now: () => nowMs,
        wait: async (ms) => {
          waits.push(ms)
        },
      },
      ...options,
      ...more,
    })
    onTestFinished(() => upstream.close())
    const turns = createTurns({
      upstreams: new Map([['qwen', upstream]]),
      models: [{ ...defaultSettings('qwen3-max', ['qwen']), dialect: 'roo-xml', ...settings }],
      newId: () => `call_${++made}`,
    })

    async function start(messages: readonly Message[], asked: Asking = {}) {
      const { signal = new AbortController().signal, client, conversation, clientKey, ...request } = asked
      return await turns.start(
        { model: 'qwen3-max', messages, tools: [], sampling: {}, extra: {}, ...request },
        {
          signal,
          ...(client !== undefined && { client }),
          ...(conversation !== undefined && { conversation }),
          ...(clientKey !== undefined && { clientKey }),
        },
      )
    }

    return {
      start,
      upstream,
      /** One whole answer, as the client would keep it. */
      async ask(messages: readonly Message[], asked: Asking = {}): Promise<AssistantMessage> {
        const events: Event[] = []
        for await (const batch of (await start(messages, asked)).events) events.push(...batch)
        const { content, calls } = fold(events)
        return {
          role: 'assistant',
          content: inUsualOrder({ content, calls: calls.map((call) => ({ ...call, kind: 'function' })) }),
        }
      },
    }
  }

  return { double, waits, open, ...open() }
}

interface Asking extends Partial<Request> {
  readonly signal?: AbortSignal
  readonly client?: string
  readonly conversation?: string
  readonly clientKey?: string
}

export function user(content: string): Message {
  return { role: 'user', content }
}

export function result(callId: string, content: string): Message {
  return { role: 'tool', callId, content }
}

/** Sessions in memory that outlive an upstream, as a shared store does. */
export function createSharedSessions(): Sessions {
  const sessions = createSessions({ store: 'memory', ttlMs: 60_000 })
  return { ...sessions, close: async () => undefined }
}

/** What a question's body says, in short. */
export function summarise(body: Readonly<Record<string, unknown>>) {
  const [message] = body['messages'] as readonly Readonly<Record<string, unknown>>[]
  return { chat: body['chat_id'], parent: body['parent_id'], content: message?.['content'] }
}
