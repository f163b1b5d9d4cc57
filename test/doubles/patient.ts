import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readTeaching } from './teaching/read.ts'

interface Illness {
  /** It wants this key. */
  readonly key?: string
  /** It refuses tools in these words. */
  readonly refusesTools?: string
  /** What becomes of calls while it streams: left in the text, or lost. */
  readonly streamed?: 'leaked' | 'lost'
  readonly finish?: string
  readonly noUsage?: boolean
  readonly noSystem?: boolean
  readonly alternates?: boolean
  /** It keeps so many tokens of a prompt and does not say so. */
  readonly keepsTokens?: number
  /** Native calls: the first one only. */
  readonly oneCall?: boolean
  /** It ignores `tool_choice`, and what it is asked for. */
  readonly mute?: boolean
  /** It cannot call tools, however they are taught. */
  readonly dull?: boolean
}

interface PatientOptions {
  readonly illness?: Illness
  readonly owner?: string
  readonly listed?: object
  readonly models?: readonly string[]
  /** What it tells of itself for free, by path. */
  readonly questions?: Readonly<Record<string, unknown>>
  readonly port?: number
}

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: string | null }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly tool_choice?: unknown
  readonly stream?: boolean
  readonly response_format?: unknown
  readonly structured_outputs?: unknown
}

interface Said {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly arguments: string }[]
}

/** Does what it is asked: knows cities, sums, and one word. */
function think({ messages, tools, ...body }: Body, { dull = false }: Illness): Said {
  const all = messages.map(({ content }) => content ?? '').join('\n\n')
  const last = messages.at(-1)?.content ?? ''
  const heard = tools === undefined ? readTeaching(all, last) : undefined
  const known = tools?.map((tool) => tool.function.name) ?? heard?.tools.map(({ name }) => name) ?? []
  const asked = heard?.question ?? last
  const cities = ['Paris', 'Tokyo', 'Rome'].filter((city) => asked.includes(city))
  const wanted =
    known.includes('add_numbers') && /numbers 2 and 3/.test(asked)
      ? [{ name: 'add_numbers', arguments: '{"a":2,"b":3}' }]
      : known.includes('get_weather')
        ? cities.map((city) => ({ name: 'get_weather', arguments: JSON.stringify({ city }) }))
        : []
  if (wanted.length > 0 && !dull) {
    if (heard === undefined) return { text: '', calls: wanted }
    return { text: heard.print(wanted.map((call, index) => ({ id: `call_${index}`, ...call }))), calls: [] }
  }
  if (body.response_format !== undefined || body.structured_outputs !== undefined) {
    return { text: '{"city":"Paris","country":"France"}', calls: [] }
  }
  return { text: all.includes('PINEAPPLE') ? 'PINEAPPLE' : 'Hello there.', calls: [] }
}

function refusalOf({ messages, tools }: Body, illness: Illness): string | undefined {
  if (illness.noSystem === true && messages.some(({ role }) => role === 'system')) return 'System role not supported'
  const inARow = messages.some(({ role }, at) => at > 0 && role === messages[at - 1]?.role)
  if (illness.alternates === true && inARow)
    return 'Conversation roles must alternate user/assistant/user/assistant/...'
  return tools === undefined ? undefined : illness.refusesTools
}

/** A model server with a small mind of its own, healthy or with an illness. */
export async function startPatient({ illness = {}, ...options }: PatientOptions = {}) {
  const { owner = 'someone', models = ['tiny-chat'], questions = {}, listed = {} } = options

  function say(response: ServerResponse, body: unknown, status = 200): void {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  function answer(response: ServerResponse, body: Body): void {
    const refusal = refusalOf(body, illness)
    if (refusal !== undefined) return say(response, { error: { message: refusal, type: 'BadRequestError' } }, 400)
    const said = think(body, illness)
    const spoken = illness.oneCall === true ? said.calls.slice(0, 1) : said.calls
    const written = JSON.stringify(body.messages).length + JSON.stringify(body.tools ?? '').length
    const read = Math.min(Math.ceil(written / 4), illness.keepsTokens ?? Number.POSITIVE_INFINITY)
    const usage = { prompt_tokens: read, completion_tokens: 9, total_tokens: read + 9 }
    const finish = illness.finish ?? (spoken.length > 0 ? 'tool_calls' : 'stop')
    const calls = spoken.map((call, index) => ({ index, id: `call_${index}abc`, type: 'function', function: call }))
    if (body.stream !== true) {
      const message = { role: 'assistant', content: said.text, ...(calls.length > 0 && { tool_calls: calls }) }
      return say(response, {
        id: 'c',
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: finish }],
      })
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const chunk = (delta: object, finish_reason: string | null = null) =>
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
      )
    chunk({ role: 'assistant', content: '' })
    if (said.text !== '') chunk({ content: said.text })
    const isKept = illness.streamed === undefined
    if (illness.streamed === 'leaked') {
      for (const { name, arguments: json } of spoken) {
        chunk({ content: `<tool_call>\n{"name": "${name}", "arguments": ${json}}\n</tool_call>` })
      }
    }
    if (isKept) for (const call of calls) chunk({ tool_calls: [call] })
    chunk({}, isKept ? finish : 'stop')
    if (illness.noUsage !== true) response.write(`data: ${JSON.stringify({ id: 'c', choices: [], usage })}\n\n`)
    response.end('data: [DONE]\n\n')
  }

  const server = createServer((request, response) => {
    const { url = '', headers, method } = request
    if (illness.key !== undefined && headers.authorization !== `Bearer ${illness.key}`) {
      return say(response, { error: { message: 'Invalid API key', type: 'invalid_request_error' } }, 401)
    }
    if (url in questions) return say(response, questions[url])
    if (url === '/v1/models') {
      const data = models.map((id) => ({ id, object: 'model', owned_by: owner, ...listed }))
      return say(response, { object: 'list', data })
    }
    if (method !== 'POST' || url !== '/v1/chat/completions') return say(response, { error: 'not found' }, 404)
    let text = ''
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    request.on('end', () => answer(response, JSON.parse(text) as Body))
  })
  await new Promise<void>((done) => server.listen(options.port ?? 0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

const vllm = (illness: Illness = {}, listed: object = { max_model_len: 65_536 }): PatientOptions => ({
  owner: 'vllm',
  models: ['Qwen/Qwen3-8B'],
  questions: { '/version': { version: '0.27.0' } },
  listed,
  illness,
})

const ollama = (context: number, illness: Illness = {}): PatientOptions => ({
  owner: 'library',
  models: ['llama3.2:3b'],
  questions: {
    '/api/version': { version: '0.15.0' },
    '/api/show': { capabilities: ['completion', 'tools'], model_info: { 'llama.context_length': 131_072 } },
    '/api/ps': { models: [{ model: 'llama3.2:3b', context_length: context }] },
  },
  illness,
})

const noParser = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'

/** One that is well and several that are ill, as they are met in the wild. */
export const patients = {
  healthy: vllm(),
  cutting: ollama(4_096, { keepsTokens: 4_096 }),
  parserless: vllm({ refusesTools: noParser }),
  leaking: { models: ['mystery'], illness: { streamed: 'leaked' } },
  losing: { models: ['mystery'], illness: { streamed: 'lost', noUsage: true } },
  picky: {
    models: ['gemma-2-9b'],
    illness: { noSystem: true, alternates: true, refusesTools: 'tools are not supported by this model' },
  },
  locked: { illness: { key: 'sk-right' } },
  dull: { illness: { dull: true } },
} as const satisfies Record<string, PatientOptions>
