import { GatewayError } from '../../../errors.ts'
import type { Usage } from '../../../protocol/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Writable } from '../../../protocol/writable.ts'
import { complains } from '../../refusals/complaints.ts'
import type { UpstreamEvent } from '../../upstream.ts'
import type { BodyReader } from '../../wire/stream.ts'

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
