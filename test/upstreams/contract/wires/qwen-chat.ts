import { toWrites } from '../../../doubles/qwen-chat-stream.ts'
import { secret, type Wire } from '../wire.ts'

const ids = { chat: 'chat-1', question: 'question-1', response: 'response-1', phased: true }
const [created = '', ...rest] = toWrites({ text: '' }, ids)

export const wire: Wire = {
  file: (origin) => ({ kind: 'qwen-chat', url: origin, key: secret }),
  errand(method, path) {
    if (path === '/api/v2/chats/new') return { success: true, request_id: 'r', data: { id: ids.chat } }
    return method === 'DELETE' ? { success: true, request_id: 'r', data: {} } : undefined
  },
  says: (pieces) => [
    created,
    ...pieces.flatMap((text) => toWrites({ text, pieceSize: 1000, ending: 'eof' }, ids).slice(1)),
  ],
  end: rest,
}
