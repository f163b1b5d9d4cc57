import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/**
 * What the double does with one request: a status, headers, and writes, each leaving as a packet of its own, so that a
 * client sees exactly this cutting. Make one with `answer`, `raw`, `json`, `refusal`, `silence`; change one with
 * `ending`, `cutInto` or a spread.
 */
export interface Script {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly writes: Iterable<string | Uint8Array>
  /** After the last write: end the response, keep the connection open and silent, or cut the connection. */
  readonly ending: 'end' | 'hang' | 'drop'
  /** All writes in one packet instead, each still an HTTP chunk of its own. Default false. */
  readonly together?: boolean
}

export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The body, parsed when it is JSON. */
  readonly body: unknown
  /** The client's port: the same for requests over the same connection. */
  readonly connection: number | undefined
  /** Resolves when the response is over: `ended` in full, or `aborted` by the client. */
  readonly over: Promise<'ended' | 'aborted'>
}

export interface OpenAiDouble {
  /** The base URL to configure, with `/v1`. */
  readonly url: string
  /** Every request for an answer or for the models, oldest first. */
  readonly requests: readonly RecordedRequest[]
  /** The paths of all it was asked about itself. */
  readonly asked: readonly string[]
  /** The next request that has not been asked for by this function: waits until it arrives. */
  nextRequest(): Promise<RecordedRequest>
  /** How many responses the client hung up on. */
  readonly aborts: number
  readonly openSockets: number
  close(): Promise<void>
}

export interface OpenAiDoubleOptions {
  /** Decides about each `POST /v1/chat/completions`; `index` counts them from 0. A list plays in order, the last for ever. */
  readonly respond:
    | readonly Script[]
    | ((body: Record<string, unknown>, headers: IncomingHttpHeaders, index: number) => Script | Promise<Script>)
  /** What `GET /v1/models` lists. Default: one model, `double`. A Script answers verbatim. */
  readonly models?: readonly string[] | Script
  /** What it tells of itself for free, by path; a function is given the body, and a Script answers verbatim. Anything else is not found. */
  readonly questions?: Readonly<Record<string, object | ((body: Readonly<Record<string, unknown>>) => object)>>
}

/** Starts a scripted OpenAI-compatible service on a free loopback port. */
export async function startOpenAiDouble(options: OpenAiDoubleOptions): Promise<OpenAiDouble> {
  const requests: RecordedRequest[] = []
  const asked: string[] = []
  const waiting: ((request: RecordedRequest) => void)[] = []
  const sockets = new Set<Socket>()
  let handedOut = 0
  let completions = 0
  let aborts = 0

  function scriptFor(
    method: string,
    path: string,
    body: unknown,
    headers: IncomingHttpHeaders,
  ): Script | Promise<Script> {
    const told = options.questions?.[path]
    if (told !== undefined) {
      const said = typeof told === 'function' ? told(body as Record<string, unknown>) : told
      return 'writes' in said ? (said as Script) : json(said)
    }
    if (method === 'GET' && path.endsWith('/models') && !path.startsWith('/api/')) {
      const { models = ['double'] } = options
      return 'writes' in models ? models : json({ object: 'list', data: models.map((id) => ({ id, object: 'model' })) })
    }
    if (method !== 'POST' || !path.endsWith('/chat/completions')) return refusal(404, { detail: 'Not Found' })
    const index = completions++
    if (typeof options.respond === 'function') return options.respond(body as Record<string, unknown>, headers, index)
    const script = options.respond[Math.min(index, options.respond.length - 1)]
    if (!script) throw new Error('The double was given an empty list of scripts.')
    return script
  }

  const server = createServer(async (incoming, response) => {
    const text = await readBody(incoming)
    const { method = '', url: path = '', headers } = incoming
    const over = new Promise<'ended' | 'aborted'>((resolve) => {
      response.once('close', () => {
        if (!response.writableFinished) aborts += 1
        resolve(response.writableFinished ? 'ended' : 'aborted')
      })
    })
    const recorded = { method, path, headers, body: parseOr(text), connection: incoming.socket.remotePort, over }
    if (!/\/(?:models|chat\/completions)$/.test(path.split('?')[0] ?? '') || path.startsWith('/api/')) {
      asked.push(path)
      await play(await scriptFor(method, path.split('?')[0] ?? '', recorded.body, headers), response)
      return
    }
    requests.push(recorded)
    const waiter = waiting.shift()
    if (waiter) {
      handedOut += 1
      waiter(recorded)
    }
    await play(await scriptFor(method, path.split('?')[0] ?? '', recorded.body, headers), response)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    asked,
    nextRequest() {
      const next = requests[handedOut]
      if (!next) return new Promise((resolve) => waiting.push(resolve))
      handedOut += 1
      return Promise.resolve(next)
    },
    get aborts() {
      return aborts
    },
    get openSockets() {
      return sockets.size
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export interface Answer {
  /** Pieces of content, one chunk each. */
  readonly text?: string | readonly string[]
  readonly reasoning?: string | readonly string[]
  /** Under which name reasoning is sent. Default `reasoning_content`. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning'
  /** Native calls: a first chunk with id and name, then one for each piece of the arguments. */
  readonly calls?: readonly {
    readonly id?: string
    readonly name: string
    readonly arguments: string | readonly string[]
  }[]
  /** Default `tool_calls` when there are calls, else `stop`. `null`: none is sent. */
  readonly finish?: string | null
  /** Default: 7 prompt and 5 completion tokens, in a chunk without choices. `null`: none is sent. */
  readonly usage?: Readonly<Record<string, unknown>> | null
  /** `whole`: a call is one chunk, its arguments included. Default `pieces`. */
  readonly callShape?: 'pieces' | 'whole' | undefined
  /** The id of every call that has none of its own. Default: `call_` and its place. */
  readonly callId?: string | undefined
  /** Where the usage stands. Default: `usage`, in a chunk of its own. */
  readonly usageIn?: 'x_groq' | undefined
  /** Whether `[DONE]` is sent. Default true. */
  readonly done?: boolean
}

/** A streamed answer, chunk by chunk as vLLM sends it. */
export function answer(content: Answer = {}): Script {
  const { calls = [], done = true, usage = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 } } = content
  const { finish = calls.length > 0 ? 'tool_calls' : 'stop', reasoningField = 'reasoning_content' } = content
  const deltas = [
    { role: 'assistant', content: '' },
    ...toList(content.reasoning).map((piece) => ({ [reasoningField]: piece })),
    ...toList(content.text).map((piece) => ({ content: piece })),
    ...calls.flatMap((call, index) => {
      const whole = content.callShape === 'whole'
      const text = whole ? toList(call.arguments).join('') : ''
      const id = call.id ?? content.callId ?? `call_${index}`
      return [
        { tool_calls: [{ index, id, type: 'function', function: { name: call.name, arguments: text } }] },
        ...(whole ? [] : toList(call.arguments)).map((piece) => ({
          tool_calls: [{ index, function: { arguments: piece } }],
        })),
      ]
    }),
  ]
  const chunks = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, logprobs: null, finish_reason: null }] })),
    ...(finish === null ? [] : [{ choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: finish }] }]),
    ...(usage === null ? [] : [{ choices: [], ...(content.usageIn === 'x_groq' ? { x_groq: { usage } } : { usage }) }]),
  ]
  return raw([...chunks.map(event), ...(done ? ['data: [DONE]\n\n'] : [])])
}

/** One event of a stream, framed as a chunk of a completion; fields of `chunk` win. */
export function event(chunk: Readonly<Record<string, unknown>>): string {
  const frame = { id: 'chatcmpl-double', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'double' }
  return `data: ${JSON.stringify({ ...frame, ...chunk })}\n\n`
}

/** These bytes as an event stream, one packet for each element. */
export function raw(writes: string | Uint8Array | readonly (string | Uint8Array)[]): Script {
  const list = typeof writes === 'string' || writes instanceof Uint8Array ? [writes] : writes
  return { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' }, writes: list, ending: 'end' }
}

/** A whole JSON body with status 200. */
export function json(body: unknown): Script {
  return { status: 200, headers: { 'content-type': 'application/json' }, writes: [JSON.stringify(body)], ending: 'end' }
}

/** An HTTP error; a string is sent as it is, anything else as JSON. */
export function refusal(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Script {
  const [type, text] = typeof body === 'string' ? ['text/plain', body] : ['application/json', JSON.stringify(body)]
  return { status, headers: { 'content-type': type, ...headers }, writes: [text], ending: 'end' }
}

/** Not even a status line, for ever. */
export const silence: Script = { status: 0, headers: {}, writes: [], ending: 'hang' }

/** The same, but afterwards the connection stays silent (`hang`) or is cut (`drop`) instead of ending. */
export function ending(script: Script, how: Script['ending']): Script {
  return { ...script, ending: how }
}

/** The same bytes in packets of `size` bytes (1 splits every character), or all in one. */
export function cutInto(script: Script, size: number | 'one'): Script {
  const bytes = Buffer.concat(Array.from(script.writes, (write) => Buffer.from(write)))
  if (size === 'one') return { ...script, writes: [bytes] }
  const count = Math.ceil(bytes.length / size)
  return {
    ...script,
    writes: Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size)),
  }
}

async function play(script: Script, response: ServerResponse): Promise<void> {
  if (script.status > 0) {
    response.writeHead(script.status, script.headers)
    response.flushHeaders()
  }
  if (script.together) {
    response.cork()
    for (const write of script.writes) response.write(write)
    response.uncork()
  } else {
    await writeEach(script.writes, response)
  }
  if (script.ending === 'end') response.end()
  if (script.ending === 'drop') response.socket?.destroy()
}

async function writeEach(writes: Iterable<string | Uint8Array>, response: ServerResponse): Promise<void> {
  for (const write of writes) {
    if (response.destroyed) return
    await new Promise((resolve) => response.write(write, resolve))
    // A turn of the loop, so that the reader gets each write in a read of its own.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function toList(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value
}
