import type { JsonObject } from '../../protocol/json.ts'

export type Thinking = 'off' | 'on' | 'auto'

/** `POST /api/v2/chats/new`. Its time is in milliseconds, that of a message in seconds. */
export function toNewChatBody(model: string, nowMs: number): JsonObject {
  return { title: 'New Chat', models: [model], chat_mode: 'normal', chat_type: 't2t', timestamp: nowMs }
}

export interface Question {
  readonly chat: string
  /** What the message hangs on; null begins the chat. */
  readonly parent: string | null
  readonly model: string
  readonly content: string
  readonly thinking: Thinking
  readonly nowMs: number
  readonly newId: () => string
}

/** `POST /api/v2/chat/completions`. The parent stands there three times and has to agree. */
export function toCompletionBody(question: Question): JsonObject {
  const { chat, parent, model, content, nowMs, newId } = question
  const timestamp = Math.floor(nowMs / 1000)
  return {
    stream: true,
    version: '2.1',
    incremental_output: true,
    chat_id: chat,
    chat_mode: 'normal',
    model,
    parent_id: parent,
    timestamp,
    messages: [
      {
        fid: newId(),
        parentId: parent,
        parent_id: parent,
        childrenIds: [newId()],
        role: 'user',
        content,
        user_action: 'chat',
        files: [],
        timestamp,
        models: [model],
        chat_type: 't2t',
        sub_chat_type: 't2t',
        feature_config: toFeatures(question.thinking),
        extra: { meta: { subChatType: 't2t' } },
      },
    ],
  }
}

const thinkingModes = { off: 'Disabled', on: 'Thinking', auto: 'Auto' } as const

/** Without `output_schema` the answer comes without phases, and thoughts could not be told from words. */
function toFeatures(thinking: Thinking): JsonObject {
  return {
    thinking_enabled: thinking !== 'off',
    output_schema: 'phase',
    research_mode: 'normal',
    auto_thinking: thinking === 'auto',
    thinking_mode: thinkingModes[thinking],
    thinking_format: 'summary',
    auto_search: false,
  }
}
