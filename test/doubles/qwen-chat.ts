import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { event, play, type QwenAnswerScript, toWrites } from './qwen-chat-stream.ts'

/** One message of a chat's tree. */
export interface QwenMessage {
  readonly id: string
  readonly parent: string | null
  readonly role: 'user' | 'assistant'
  readonly content: string
}

export interface QwenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** As it came, to the byte. */
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
}

/** What goes wrong with one request, in the service's own words. */
export type QwenFault =
  | 'rate-limited'
  | 'rate-limited-in-stream'
  | 'rate-limited-after-content'
  | 'in-progress'
  | 'expired'
  | 'challenge'
  | 'challenge-page'
  | 'empty'
  | 'overloaded'

export interface QwenDoubleOptions {
  /** Answers from nothing but the chain of messages that ends with the question. */
  readonly answer: (chain: readonly QwenMessage[]) => string | QwenAnswerScript
  /** How many requests find a chat busy whose answer the client hung up on. Default 0. */
  readonly busyAfterAbort?: number
  readonly tokens?: readonly string[]
}

export interface QwenDouble {
  readonly url: string
  readonly requests: readonly QwenRequest[]
  /** The bodies of questions, oldest first. */
  readonly questions: readonly QwenRequest[]
  readonly chats: ReadonlyMap<string, ReadonlyMap<string, QwenMessage>>
  /** The next questions fail like this, in order; `undefined` lets one through. */
  fail(...faults: readonly (QwenFault | undefined)[]): void
  deleteChat(id: string): void
  /** Resolves when a client has hung up once more. */
  nextAbort(): Promise<void>
  close(): Promise<void>
}

interface Chat {
  readonly owner: string
  readonly messages: Map<string, QwenMessage>
  /** An answer is being made. */
  busy: boolean
  /** So many more requests will find it busy. */
  refusals: number
}

const rateLimited = {
  success: false,
  request_id: 'r',
  data: {
    code: 'RateLimited',
    details: "You've reached the upper limit for today's usage.",
    template: 'Please wait {{num}} hours before trying again.',
    num: 4,
  },
}

/** The web chat: keeps chats and a tree of messages, and answers only from the ancestors of a question. */
export async function startQwenDouble(options: QwenDoubleOptions): Promise<QwenDouble> {
  const { tokens = ['token-of-ada', 'token-of-bob'], busyAfterAbort = 0 } = options
  const requests: QwenRequest[] = []
  const chats = new Map<string, Chat>()
  const faults: (QwenFault | undefined)[] = []
  const waiting: (() => void)[] = []
  let made = 0

  function newId(kind: string): string {
    made += 1
    return `${kind}-${made}`
  }

  function chainOf(chat: Chat, last: string | null): readonly QwenMessage[] {
    const message = last === null ? undefined : chat.messages.get(last)
    return message === undefined ? [] : [...chainOf(chat, message.parent), message]
  }

  function ownerOf({ headers }: QwenRequest): string | undefined {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
    return tokens.find((known) => known === token)
  }

  function ask(request: QwenRequest, owner: string, response: ServerResponse): void {
    const fault = faults.shift()
    if (fault !== undefined && fault !== 'empty' && fault !== 'rate-limited-after-content') {
      refuse(fault, response)
      return
    }
    const { body } = request
    const id = new URLSearchParams(request.path.split('?')[1]).get('chat_id')
    const chat = chats.get(id ?? '')
    if (id === null || chat === undefined || chat.owner !== owner || body['chat_id'] !== id) {
      sendJson(response, { success: false, data: { code: 'Not_Found', details: `chat ${id} is not exist` } })
      return
    }
    if (chat.busy || chat.refusals > 0) {
      if (!chat.busy) chat.refusals -= 1
      refuse('in-progress', response)
      return
    }
    const messages = body['messages'] as readonly Readonly<Record<string, unknown>>[]
    const message = messages.at(-1) ?? {}
    const parent = (body['parent_id'] ?? null) as string | null
    if (message['parentId'] !== parent || message['parent_id'] !== parent) {
      sendJson(response, { success: false, data: { code: 'Bad_Request', details: 'parent ids differ' } })
      return
    }
    if (parent !== null && !chat.messages.has(parent)) {
      sendJson(response, { success: false, data: { code: 'Bad_Request', details: `parent_id ${parent} is not exist` } })
      return
    }
    const isStrange = messages.some(({ role }) => role === 'system') && parent !== null
    const isEmpty = fault === 'empty' || isStrange || typeof message['content'] !== 'string'
    const question: QwenMessage = {
      id: newId('question'),
      parent,
      role: 'user',
      content: String(message['content']),
    }
    chat.messages.set(question.id, question)
    const said = options.answer(chainOf(chat, question.id))
    const script = typeof said === 'string' ? { text: said } : said
    const features = message['feature_config'] as Readonly<Record<string, unknown>> | undefined
    const reply: QwenMessage = { id: newId('response'), parent: question.id, role: 'assistant', content: script.text }
    const writes = isEmpty
      ? [event({ 'response.created': { chat_id: id, parent_id: question.id, response_id: reply.id } })]
      : toWrites(script, {
          chat: id,
          question: question.id,
          response: reply.id,
          phased: features?.['output_schema'] === 'phase',
        })
    if (fault === 'rate-limited-after-content') writes.splice(-1, 1, event(rateLimited))
    chat.busy = true
    // What was said is kept, to its end, whether or not anybody was there to hear it.
    const settle = () => {
      chat.busy = false
      if (!isEmpty) chat.messages.set(reply.id, reply)
    }
    void play(writes, script.ending, response, settle)
    response.once('close', () => {
      settle()
      if (response.writableFinished) return
      chat.refusals = busyAfterAbort
      for (const wake of waiting.splice(0)) wake()
    })
  }

  function answer(request: QwenRequest, response: ServerResponse): void {
    const path = request.path.split('?')[0] ?? ''
    if (request.method === 'GET' && path === '/api/models') {
      const meta = { max_context_length: 262_144, max_generation_length: 32_768, capabilities: { thinking: true } }
      const data = [
        { id: 'qwen3-max', name: 'Qwen3-Max', object: 'model', owned_by: 'qwen', info: { meta, is_active: true } },
        { id: 'retired', name: 'Retired', object: 'model', owned_by: 'qwen', info: { meta, is_active: false } },
      ]
      sendJson(response, { data })
      return
    }
    const owner = ownerOf(request)
    if (owner === undefined) {
      sendJson(response, { success: false, data: { code: 'Unauthorized', details: 'Unauthorized' } }, 401)
    } else if (path === '/api/v2/chats/new') {
      const id = newId('chat')
      chats.set(id, { owner, messages: new Map(), busy: false, refusals: 0 })
      sendJson(response, { success: true, request_id: 'r', data: { id } })
    } else if (path === '/api/v2/chat/completions') {
      ask(request, owner, response)
    } else if (request.method === 'DELETE' && path.startsWith('/api/v2/chats/')) {
      chats.delete(path.slice('/api/v2/chats/'.length))
      sendJson(response, { success: true, request_id: 'r', data: {} })
    } else sendJson(response, { detail: 'Not Found' }, 404)
  }

  const server = createServer(async (incoming, response) => {
    const text = await readBody(incoming)
    const { method = '', url: path = '', headers } = incoming
    const request = { method, path, headers, text, body: text === '' ? {} : JSON.parse(text) }
    requests.push(request)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get questions() {
      return requests.filter(({ path }) => path.startsWith('/api/v2/chat/completions'))
    },
    get chats() {
      return new Map([...chats].map(([id, { messages }]) => [id, messages]))
    },
    fail: (...next) => faults.push(...next),
    deleteChat: (id) => chats.delete(id),
    nextAbort: () => new Promise((resolve) => waiting.push(resolve)),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function refuse(fault: QwenFault, response: ServerResponse): void {
  switch (fault) {
    case 'rate-limited':
      sendJson(response, rateLimited)
      return
    case 'rate-limited-in-stream':
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(event(rateLimited))
      return
    case 'in-progress':
      sendJson(response, { success: false, data: { code: 'Bad_Request', details: 'The chat is in progress!' } })
      return
    case 'expired':
      sendJson(response, { success: false, data: { code: 'Unauthorized', details: 'Token has expired' } })
      return
    case 'challenge': {
      const ret = ['FAIL_SYS_USER_VALIDATE', 'RGV587_ERROR::SM::try again later']
      sendJson(response, { ret, data: { url: 'https://chat.example/_____tmd_____/punish?x5secdata=abc' } })
      return
    }
    case 'challenge-page':
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<!doctypehtml><title>Verification</title><p>Slide to prove you are human')
      return
    case 'overloaded':
      response.writeHead(503, { 'content-type': 'text/plain' })
      response.end('busy')
      return
    default:
      throw new Error(`${fault} is no refusal`)
  }
}

function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
