import { GatewayError } from '../../errors.ts'
import type { Usage } from '../../protocol/event.ts'
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../protocol/json.ts'
import type { Writable } from '../../protocol/writable.ts'
import { complains } from '../refusals/complaints.ts'
import type { UpstreamEvent } from '../upstream.ts'
import type { BodyReader } from '../wire/stream.ts'
import type { Wire } from './flavour.ts'

/**
 * Ollama's own `/api/chat`. Unlike its OpenAI layer it takes the size of the context, can be told not to cut what does not
 * fit, and passes on what went wrong.
 */
export const ollamaChat: Wire = {
  path: '/api/chat',
  takes: ['top_k', 'min_p', 'typical_p', 'repeat_penalty', 'keep_alive', 'num_ctx'],
  contextField: 'num_ctx',
  toBody: toOllamaBody,
  createReader: createOllamaReader,
}

/** OpenAI's names of what Ollama calls options. */
const options: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  top_p: 'top_p',
  top_k: 'top_k',
  min_p: 'min_p',
  typical_p: 'typical_p',
  seed: 'seed',
  stop: 'stop',
  presence_penalty: 'presence_penalty',
  frequency_penalty: 'frequency_penalty',
  repeat_penalty: 'repeat_penalty',
  max_tokens: 'num_predict',
}

const asTheyAre = ['model', 'tools', 'logprobs', 'top_logprobs', 'keep_alive'] as const

/** A request to `/v1/chat/completions` as one to `/api/chat`, with a context of so many tokens. */
export function toOllamaBody(body: JsonObject, context: number): JsonObject {
  const chosen = Object.entries(options).flatMap(([field, option]): [string, Json][] => {
    const value = body[field]
    return value === undefined ? [] : [[option, value]]
  })
  const format = toFormat(body['response_format'])
  const think = toThink(body['reasoning_effort'])
  return {
    ...Object.fromEntries(asTheyAre.flatMap((field) => (body[field] === undefined ? [] : [[field, body[field]]]))),
    messages: toMessages(body['messages']),
    stream: true,
    truncate: false,
    ...(format !== undefined && { format }),
    ...(think !== undefined && { think }),
    options: { ...Object.fromEntries(chosen), num_ctx: context },
  }
}

function toFormat(format: Json | undefined): Json | undefined {
  if (!isJsonObject(format)) return undefined
  if (format['type'] === 'json_object') return 'json'
  const named = format['json_schema']
  return format['type'] === 'json_schema' && isJsonObject(named) ? named['schema'] : undefined
}

const levels: Readonly<Record<string, Json>> = { none: false, minimal: 'low', xhigh: 'high', max: 'high' }

function toThink(effort: Json | undefined): Json | undefined {
  return typeof effort === 'string' ? (levels[effort] ?? effort) : undefined
}

function toMessages(messages: Json | undefined): readonly JsonObject[] {
  const names = new Map<string, string>()
  return (Array.isArray(messages) ? (messages as readonly Json[]) : []).filter(isJsonObject).map((message, index) => {
    const calls = toCalls(message['tool_calls'], names)
    const { text, images } = toContent(message['content'], index)
    const id = message['tool_call_id']
    const name = typeof id === 'string' ? names.get(id) : undefined
    const thoughts = message['reasoning_content']
    return {
      role: message['role'] ?? 'user',
      content: text,
      ...(images.length > 0 && { images }),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(typeof thoughts === 'string' && { thinking: thoughts }),
      ...(typeof id === 'string' && { tool_call_id: id }),
      ...(name !== undefined && { tool_name: name }),
    }
  })
}

/** Arguments are an object here, and results name their tool. */
function toCalls(calls: Json | undefined, names: Map<string, string>): readonly JsonObject[] {
  if (!Array.isArray(calls)) return []
  return (calls as readonly Json[]).filter(isJsonObject).flatMap((call) => {
    const made = call['function']
    if (!isJsonObject(made)) return []
    const { name = '', arguments: json = '' } = made
    if (typeof call['id'] === 'string') names.set(call['id'], String(name))
    const value = parseJson(String(json))
    return [
      {
        ...(call['id'] !== undefined && { id: call['id'] }),
        function: { name, arguments: isJsonObject(value) ? value : {} },
      },
    ]
  })
}

function toContent(
  content: Json | undefined,
  index: number,
): { readonly text: string; readonly images: readonly string[] } {
  if (typeof content === 'string') return { text: content, images: [] }
  const parts = Array.isArray(content) ? (content as readonly Json[]).filter(isJsonObject) : []
  const texts = parts.flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : []))
  const images = parts.flatMap((part) =>
    isJsonObject(part['image_url']) ? [toImage(part['image_url']['url'], index)] : [],
  )
  return { text: texts.join('\n'), images }
}

function toImage(url: Json | undefined, index: number): string {
  const data = /^data:[^,]*;base64,(.*)$/s.exec(typeof url === 'string' ? url : '')?.[1]
  if (data !== undefined) return data
  throw new GatewayError('unsupported_parameter', 'Ollama takes images only as data: URLs in base64, not as links.', {
    param: `messages[${index}].content`,
  })
}

/** No honest line is longer: a native call comes in one. */
const maxLineCharacters = 8 * 1024 * 1024

/** An answer of `/api/chat`: one JSON object a line, the last one `done`. */
export function createOllamaReader(upstream: string, classify: (body: JsonObject) => GatewayError): BodyReader {
  const decoder = new TextDecoder()
  let pieces: string[] = []
  let held = 0
  let usage: Usage | undefined
  let reason: 'stop' | 'length' | undefined
  let calls = 0

  function malformed(what: string): GatewayError {
    return new GatewayError('upstream_malformed', `${upstream}: ${what}`)
  }

  function readLine(line: string, into: UpstreamEvent[]): boolean {
    const text = line.trim()
    if (text === '') return false
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (cause) {
      throw new GatewayError('upstream_malformed', `${upstream}: a line of the response is not valid JSON.`, { cause })
    }
    if (!isJsonObject(value)) throw malformed('a line of the response is not a JSON object.')
    const isAnswer = isJsonObject(value['message']) || value['done'] === true
    const complaining = complains(value)
    if (complaining === 'surely' || (complaining === 'maybe' && !isAnswer)) throw classify(value)
    if (isJsonObject(value['message'])) readMessage(value['message'], into)
    if (Array.isArray(value['logprobs']) && value['logprobs'].length > 0) {
      into.push({ type: 'logprobs', content: value['logprobs'] as readonly Json[] })
    }
    if (value['done'] === true) {
      reason = value['done_reason'] === 'length' ? 'length' : 'stop'
      usage = readUsage(value)
      reader.done = true
      reader.finished = true
    }
    return true
  }

  function readMessage({ thinking, content, tool_calls: made }: JsonObject, into: UpstreamEvent[]): void {
    if (typeof thinking === 'string' && thinking !== '') into.push({ type: 'reasoning', text: thinking })
    if (typeof content === 'string' && content !== '') into.push({ type: 'text', text: content })
    for (const call of Array.isArray(made) ? (made as readonly Json[]).filter(isJsonObject) : []) {
      const { function: called, id } = call
      const { name, arguments: value = {} } = isJsonObject(called) ? called : {}
      into.push({
        type: 'call',
        index: calls++,
        ...(typeof id === 'string' && id !== '' && { id }),
        ...(typeof name === 'string' && { name }),
        json: typeof value === 'string' ? value : JSON.stringify(value),
      })
    }
  }

  const reader: Writable<BodyReader> = {
    done: false,
    finished: false,
    push(bytes, into) {
      const text = decoder.decode(bytes, { stream: true })
      let said = false
      let from = 0
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
        said = readLine(pieces.join('') + text.slice(from, at), into) || said
        pieces = []
        held = 0
        from = at + 1
      }
      pieces.push(text.slice(from))
      held += text.length - from
      if (held > maxLineCharacters) throw malformed(`it sent a line of more than ${maxLineCharacters} characters.`)
      return said
    },
    end(into) {
      readLine(pieces.join('') + decoder.decode(), into)
      if (reason === undefined) {
        throw new GatewayError('upstream_truncated', `${upstream}: the stream ended before the response was complete.`)
      }
      if (usage !== undefined) into.push({ type: 'usage', ...usage })
      into.push({ type: 'finish', reason: reason === 'stop' && calls > 0 ? 'tool_calls' : reason })
    },
  }
  return reader
}

function readUsage({ prompt_eval_count: prompt, eval_count: completion }: JsonObject): Usage | undefined {
  if (typeof prompt !== 'number' && typeof completion !== 'number') return undefined
  return {
    promptTokens: typeof prompt === 'number' ? prompt : 0,
    completionTokens: typeof completion === 'number' ? completion : 0,
  }
}
