import { isMessages, judgeMessages, messageArguments, messageText } from './messages.ts'
import { isOllama, judgeOllama, ollamaArguments, ollamaText } from './ollama.ts'
import type { Exchange } from './recorder.ts'
import { isResponses, judgeResponses, responseArguments, responseText } from './responses.ts'

/** A protocol that is not chat completions. */
interface Wire {
  is(exchange: Exchange): boolean
  judge(exchange: Exchange): readonly string[]
  text(exchange: Exchange): string
  arguments(exchange: Exchange): readonly string[]
}

const wires: readonly Wire[] = [
  { is: isMessages, judge: judgeMessages, text: messageText, arguments: messageArguments },
  { is: isResponses, judge: judgeResponses, text: responseText, arguments: responseArguments },
  { is: isOllama, judge: judgeOllama, text: ollamaText, arguments: ollamaArguments },
]

const wireOf = (exchange: Exchange): Wire | undefined => wires.find((wire) => wire.is(exchange))

/**
 * What must never reach a client, because some agent breaks on it: checked over every byte of every answer. The numbers are
 * those of the table in `docs/clients.md`.
 */
export function findFaults(exchanges: readonly Exchange[]): readonly string[] {
  const ids = new Set<string>()
  return exchanges
    .filter((exchange) => isChat(exchange) || wireOf(exchange) !== undefined)
    .flatMap((exchange, turn) => {
      const faults = wireOf(exchange)?.judge(exchange) ?? judgeExchange(exchange, ids)
      return faults.map((fault) => `answer ${turn + 1}: ${fault}`)
    })
}

function isChat({ path }: Exchange): boolean {
  return path.split('?')[0]?.endsWith('/chat/completions') === true
}

type Fields = Readonly<Record<string, unknown>>

function judgeExchange(exchange: Exchange, ids: Set<string>): readonly string[] {
  const { status, answered, headers, asked, aborted } = exchange
  if (status === 0 || (aborted && answered === '')) return []
  if (status >= 400) return judgeRefusal(status, answered)
  const streaming = isFields(asked) && asked['stream'] === true
  const type = headers['content-type'] ?? ''
  if (streaming !== type.startsWith('text/event-stream')) return [`10: stream ${streaming} was answered with ${type}`]
  return streaming ? judgeStream(exchange, ids) : judgeWhole(exchange, ids)
}

/** Words on which some agents try a permanent error again. */
const retryWords = /429|500|502|503|504|524|rate.?limit|server error|timeout|overloaded/i

function judgeRefusal(status: number, body: string): readonly string[] {
  const value = parse(body)
  if (!isError(value)) return [`11: status ${status} with a body that is no error object: ${body.slice(0, 200)}`]
  const permanent = status < 500 && ![408, 409, 429].includes(status)
  return permanent && retryWords.test(body)
    ? [`a permanent error that invites to try again: ${body.slice(0, 200)}`]
    : []
}

interface Heard {
  text: string
  reasoning: string
  finish: string | undefined
  readonly calls: Map<number, { id: string; name: string; json: string }>
}

function judgeStream({ answered, asked, aborted }: Exchange, ids: Set<string>): readonly string[] {
  const faults: string[] = []
  const heard: Heard = { text: '', reasoning: '', finish: undefined, calls: new Map() }
  let failed = false
  let done = false
  let usage: unknown
  let chunks = 0
  for (const event of eventsOf(answered, aborted, faults)) {
    if (done) faults.push('something after [DONE]')
    if (event === '[DONE]') {
      done = true
      continue
    }
    const chunk = parse(event)
    if (isError(chunk)) {
      failed = true
      continue
    }
    if (!isFields(chunk) || chunk['object'] !== 'chat.completion.chunk' || !Array.isArray(chunk['choices'])) {
      faults.push(`9: a data event that is no chunk: ${event.slice(0, 200)}`)
      continue
    }
    if (isFields(chunk['usage'])) usage = chunk['usage']
    for (const choice of chunk['choices'] as readonly unknown[]) {
      faults.push(...judgeChoice(choice, chunks++ === 0, heard, ids))
    }
  }
  if (aborted) return faults
  if (failed) return done || heard.finish !== undefined ? [...faults, '11: an error, and then an ending'] : faults
  if (!done) faults.push('12: the stream ended without [DONE]')
  const wanted =
    isFields(asked) && isFields(asked['stream_options']) && asked['stream_options']['include_usage'] === true
  if (wanted !== (usage !== undefined)) faults.push(`usage asked for: ${wanted}, sent: ${usage !== undefined}`)
  return [...faults, ...judgeUsage(usage), ...judgeAnswer(heard, asked)]
}

function* eventsOf(body: string, aborted: boolean, faults: string[]): Generator<string> {
  const blocks = body.split('\n\n')
  const rest = blocks.pop()
  if (rest !== '' && !aborted) faults.push(`12: the stream ended inside an event: ${rest?.slice(0, 80)}`)
  for (const block of blocks) {
    const lines = block.split('\n').filter((line) => line !== '' && !line.startsWith(':'))
    if (lines.some((line) => !line.startsWith('data: ')))
      faults.push(`9: a line that is no data: ${block.slice(0, 80)}`)
    if (lines.length > 0) yield lines.map((line) => line.slice('data: '.length)).join('\n')
  }
}

function judgeChoice(choice: unknown, first: boolean, heard: Heard, ids: Set<string>): readonly string[] {
  if (!isFields(choice) || !isFields(choice['delta'])) return [`a choice without a delta: ${JSON.stringify(choice)}`]
  const faults: string[] = []
  const { index, delta, finish_reason: finish } = choice as { index: unknown; delta: Fields; finish_reason: unknown }
  if (index !== 0) faults.push(`7: choices[].index is ${index}`)
  if (first && delta['role'] !== 'assistant') faults.push('7: the first delta has no role')
  if (heard.finish !== undefined) faults.push('something after the finish reason')
  if (typeof delta['content'] === 'string') heard.text += delta['content']
  if (typeof delta['reasoning_content'] === 'string') heard.reasoning += delta['reasoning_content']
  for (const piece of (delta['tool_calls'] ?? []) as readonly unknown[]) faults.push(...judgePiece(piece, heard, ids))
  if (finish === null || finish === undefined) return faults
  heard.finish = String(finish)
  return faults
}

function judgePiece(piece: unknown, { calls }: Heard, ids: Set<string>): readonly string[] {
  if (!isFields(piece) || !isFields(piece['function'])) return [`a call without a function: ${JSON.stringify(piece)}`]
  const { index, id, type, function: inner } = piece as { index: unknown; id: unknown; type: unknown; function: Fields }
  if (typeof index !== 'number') return [`5: index is ${index}`]
  const known = calls.get(index)
  const { name, arguments: json } = inner
  if (known !== undefined) {
    if (typeof json !== 'string') return [`6: arguments are ${typeof json}`]
    known.json += json
    const repeated = name !== undefined || (id !== undefined && id !== known.id)
    return repeated ? ['8: a name or another id in a later delta'] : []
  }
  const faults: string[] = []
  if (index !== calls.size) faults.push(`5: index ${index} follows ${calls.size} calls`)
  if (type !== 'function') faults.push(`7: type is ${type}`)
  if (typeof json !== 'string') faults.push(`6: arguments are ${typeof json}`)
  if (typeof name !== 'string' || name === '') faults.push(`8: name is ${name}`)
  calls.set(index, { id: String(id), name: String(name), json: String(json) })
  return [...faults, ...judgeId(id, ids)]
}

function judgeId(id: unknown, ids: Set<string>): readonly string[] {
  if (typeof id !== 'string' || id === '') return [`3: id is ${JSON.stringify(id)}`]
  // Some clients keep only the first nine letters and digits of an id. What a service with tools of its own chose stays.
  const short = id.startsWith('call_') ? id.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 9) : id
  const faults = ids.has(id) || ids.has(short) ? [`4: id ${id} was used before, or one like it`] : []
  ids.add(id).add(short)
  return faults
}

function judgeWhole({ answered, asked, aborted }: Exchange, ids: Set<string>): readonly string[] {
  if (aborted) return []
  const body = parse(answered)
  const choices = isFields(body) ? body['choices'] : undefined
  const [choice] = Array.isArray(choices) ? (choices as readonly unknown[]) : []
  const message = isFields(choice) ? choice['message'] : undefined
  if (!isFields(body) || !isFields(choice) || !isFields(message))
    return [`10: no completion: ${answered.slice(0, 200)}`]
  const heard: Heard = {
    text: String(message['content'] ?? ''),
    reasoning: String(message['reasoning_content'] ?? ''),
    finish: String(choice['finish_reason']),
    calls: new Map(),
  }
  const faults = choice['index'] === 0 ? [] : ['7: choices[].index is not 0']
  const calls = message['tool_calls']
  if (calls !== undefined && (!Array.isArray(calls) || calls.length === 0)) faults.push('tool_calls that are no calls')
  for (const [index, call] of ((calls ?? []) as readonly Fields[]).entries()) {
    faults.push(...judgePiece({ ...call, index }, heard, ids))
  }
  return [...faults, ...judgeUsage(body['usage']), ...judgeAnswer(heard, asked)]
}

function judgeUsage(usage: unknown): readonly string[] {
  if (usage === undefined || usage === null) return []
  if (!isFields(usage)) return ['usage is no object']
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage
  const right = typeof prompt === 'number' && typeof completion === 'number' && total === prompt + completion
  return right ? [] : [`usage does not add up: ${JSON.stringify(usage)}`]
}

const finishes = ['stop', 'tool_calls', 'length', 'content_filter']

function judgeAnswer({ text, reasoning, finish, calls }: Heard, asked: unknown): readonly string[] {
  const faults: string[] = []
  const request = isFields(asked) ? asked : {}
  if (finish === undefined || !finishes.includes(finish)) faults.push(`1: finish_reason is ${finish}`)
  if (finish === 'tool_calls' && calls.size === 0) faults.push('2: finish_reason tool_calls without a call')
  if (finish !== 'tool_calls' && calls.size > 0) faults.push(`15: finish_reason ${finish} with calls`)
  if (text === '' && reasoning === '' && calls.size === 0) faults.push('13: an empty answer')
  const declared = new Set(((request['tools'] ?? []) as readonly Fields[]).map((tool) => nameOf(tool)))
  for (const { name, json } of calls.values()) {
    if (!declared.has(name)) faults.push(`14: the client has no tool ${name}`)
    if (json === '') faults.push('17: empty arguments')
    else if (!isFields(parse(json))) faults.push(`14: arguments that are no JSON object: ${json.slice(0, 80)}`)
  }
  const choice = request['tool_choice']
  if (choice === 'none' && calls.size > 0) faults.push('16: calls although tool_choice is none')
  if (choice === 'required' && calls.size === 0) faults.push('16: no call although tool_choice is required')
  if (request['parallel_tool_calls'] === false && calls.size > 1)
    faults.push('several calls although one was asked for')
  return faults
}

function nameOf(tool: Fields): unknown {
  return isFields(tool['function']) ? tool['function']['name'] : undefined
}

function isError(value: unknown): boolean {
  return isFields(value) && isFields(value['error']) && typeof value['error']['message'] === 'string'
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What an answer said in words, to be compared with what the model said. */
export function textIn(exchange: Exchange): string {
  const wire = wireOf(exchange)
  if (wire !== undefined) return wire.text(exchange)
  return messagesIn(exchange)
    .map(({ content }) => (typeof content === 'string' ? content : ''))
    .join('')
}

/** The arguments of each call of an answer. */
export function argumentsIn(exchange: Exchange): readonly string[] {
  const wire = wireOf(exchange)
  if (wire !== undefined) return wire.arguments(exchange)
  const found = new Map<number, string>()
  for (const { tool_calls: calls } of messagesIn(exchange)) {
    for (const [place, call] of ((calls ?? []) as readonly Fields[]).entries()) {
      const at = typeof call['index'] === 'number' ? call['index'] : place
      const piece = isFields(call['function']) ? call['function']['arguments'] : ''
      found.set(at, (found.get(at) ?? '') + String(piece ?? ''))
    }
  }
  return [...found.values()]
}

/** The message of a whole answer, or the deltas of a stream. */
function messagesIn({ answered }: Exchange): readonly Fields[] {
  const whole = parse(answered)
  const bodies = isFields(whole) ? [whole] : [...eventsOf(answered, true, [])].map(parse).filter(isFields)
  return bodies.flatMap(({ choices }) => {
    const [choice] = (choices ?? []) as readonly Fields[]
    const message = choice?.['message'] ?? choice?.['delta']
    return isFields(message) ? [message] : []
  })
}
