import { createServer, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { serveMeter } from './meter.ts'

/**
 * node bench/gateway/tool-parser.ts URL PORT FOLDER: the least that makes a gateway of `@ai-sdk-tool/parser`, which is a middleware
 * for the AI SDK: a request in OpenAI's words becomes a call of the SDK, and what that says becomes OpenAI's again. The packages are
 * in FOLDER.
 */
const [, , url = '', port = '0', folder = ''] = process.argv

interface Sdk {
  streamText(options: object): { readonly fullStream: AsyncIterable<Part> }
  wrapLanguageModel(options: object): object
  tool(options: object): object
  jsonSchema(schema: unknown): object
}

type Part = { readonly type: string } & Readonly<Record<string, unknown>>

interface Asked {
  readonly model: string
  readonly stream: boolean
  readonly messages: readonly Message[]
  readonly tools: readonly {
    readonly function: { readonly name: string; readonly description: string; readonly parameters: object }
  }[]
}

interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | null
  readonly tool_call_id?: string
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}

const require = createRequire(join(folder, 'index.js'))
const load = async <T>(name: string): Promise<T> => (await import(pathToFileURL(require.resolve(name)).href)) as T

const sdk = await load<Sdk>('ai')
const { hermesToolMiddleware } = await load<{ hermesToolMiddleware: object }>('@ai-sdk-tool/parser')
const { createOpenAICompatible } = await load<{
  createOpenAICompatible(options: object): { chatModel(id: string): object }
}>('@ai-sdk/openai-compatible')
const provider = createOpenAICompatible({ name: 'bench', baseURL: `${url}/v1`, apiKey: 'x' })

function toMessage({ role, content, tool_call_id, tool_calls = [] }: Message): object {
  if (role === 'tool') {
    const output = { type: 'text', value: content }
    return { role, content: [{ type: 'tool-result', toolCallId: tool_call_id, toolName: 'tool_1', output }] }
  }
  if (role !== 'assistant') return { role, content }
  const said = content === null ? [] : [{ type: 'text', text: content }]
  const calls = tool_calls.map(({ id, function: { name, arguments: json } }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: JSON.parse(json) as unknown,
  }))
  return { role, content: [...said, ...calls] }
}

function ask({ model, messages, tools }: Asked): AsyncIterable<Part> {
  return sdk.streamText({
    model: sdk.wrapLanguageModel({ model: provider.chatModel(model), middleware: hermesToolMiddleware }),
    messages: messages.map(toMessage),
    tools: Object.fromEntries(
      tools.map(({ function: { name, description, parameters } }) => [
        name,
        sdk.tool({ description, inputSchema: sdk.jsonSchema(parameters) }),
      ]),
    ),
    maxRetries: 0,
    onError: () => undefined,
    allowSystemInMessages: true,
  }).fullStream
}

const frame = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_762_000_000, model: 'bench' }

function printChunk(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ ...frame, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
}

/** The events of OpenAI that a part of the SDK comes to. */
function toDelta(part: Part): object | undefined {
  const called = (more: object) => ({ tool_calls: [{ index: 0, ...more }] })
  if (part.type === 'text-delta') return { content: part['text'] }
  if (part.type === 'tool-input-start')
    return called({ id: part['id'], type: 'function', function: { name: part['toolName'], arguments: '' } })
  if (part.type === 'tool-input-delta') return called({ function: { arguments: part['delta'] } })
  if (part.type === 'error') throw part['error']
  return undefined
}

async function stream(asked: Asked, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for await (const part of ask(asked)) {
    const delta = toDelta(part)
    if (delta !== undefined) response.write(printChunk(delta))
    if (part.type === 'finish')
      response.write(printChunk({}, part['finishReason'] === 'tool-calls' ? 'tool_calls' : 'stop'))
  }
  response.end('data: [DONE]\n\n')
}

async function whole(asked: Asked, response: ServerResponse): Promise<void> {
  let content = ''
  const calls: object[] = []
  for await (const part of ask(asked)) {
    if (part.type === 'error') throw part['error']
    if (part.type === 'text-delta') content += part['text']
    if (part.type !== 'tool-call') continue
    const made = { name: part['toolName'], arguments: JSON.stringify(part['input']) }
    calls.push({ id: part['toolCallId'], type: 'function', function: made })
  }
  const message = { role: 'assistant', content, tool_calls: calls }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ ...frame, object: 'chat.completion', choices: [{ index: 0, message }] }))
}

async function answer(body: Buffer, response: ServerResponse): Promise<void> {
  if (body.length === 0) return void response.end()
  const asked = JSON.parse(body.toString()) as Asked
  await (asked.stream ? stream(asked, response) : whole(asked, response))
}

const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    void answer(Buffer.concat(parts), response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(String(error))
    })
  })
})

server.listen(Number(port), '127.0.0.1')
serveMeter()
