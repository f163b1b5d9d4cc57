import { wanted } from './answer.ts'

/** What a client of a door makes of all it got. */
export interface ClientOutcome {
  /** `malformed`: the protocol of the door does not allow it. */
  readonly end: 'answer' | 'error' | 'malformed'
  /** Calls that a client would carry out. */
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[]
  readonly why?: string
}

/** A client of one door, in as few words as its protocol allows. */
export interface DoorAdapter {
  readonly path: string
  body(model: string, stream: boolean): object
  read(reply: { readonly status: number; readonly text: string; readonly stream: boolean }): ClientOutcome
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
type Any = any

const properties = { path: { type: 'string' }, text: { type: 'string' } }
const schema = { type: 'object', properties, required: ['path', 'text'] }
const question = [{ role: 'user', content: 'Write it.' }]
const tool = { name: wanted.name, description: 'Writes a file.', parameters: schema }

const malformed = (why: string): ClientOutcome => ({ end: 'malformed', calls: [], why })
const failed: ClientOutcome = { end: 'error', calls: [] }

function guarded(read: DoorAdapter['read']): DoorAdapter['read'] {
  return (reply) => {
    try {
      return read(reply)
    } catch (error) {
      return malformed(String(error))
    }
  }
}

/** The events of a stream: each has ended with a blank line. */
function events(text: string): readonly { readonly event: string; readonly data: string }[] {
  if (!text.endsWith('\n\n')) throw new Error(`ends inside an event: ${text.slice(-80)}`)
  return text
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => ({
      event: /^event: (.*)$/m.exec(block)?.[1] ?? '',
      data: /^data: (.*)$/m.exec(block)?.[1] ?? '',
    }))
}

const toCall = (name: string, json: string) => ({ name, arguments: JSON.parse(json) as unknown })

const chat: DoorAdapter = {
  path: '/v1/chat/completions',
  body: (model, stream) => ({ model, stream, messages: question, tools: [{ type: 'function', function: tool }] }),
  read: guarded(({ status, text, stream }) => {
    if (status !== 200 || !stream) {
      const said = JSON.parse(text) as Any
      if (status !== 200)
        return typeof said.error.message === 'string' && 'code' in said.error ? failed : malformed(text)
      const [{ message, finish_reason: finish }] = said.choices
      const isWhole = finish === 'tool_calls'
      const calls = isWhole
        ? message.tool_calls.map((call: Any) => toCall(call.function.name, call.function.arguments))
        : []
      return { end: 'answer', calls }
    }
    const all = events(text)
    const last = all.at(-1)?.data ?? ''
    const isDone = last === '[DONE]'
    const chunks = all.filter(({ data }) => data !== '[DONE]').map(({ data }) => JSON.parse(data) as Any)
    const errors = chunks.filter((chunk) => chunk.error !== undefined)
    const choices = chunks.flatMap((chunk) => chunk.choices ?? [])
    const finishes = choices.filter((choice: Any) => choice.finish_reason).map((choice: Any) => choice.finish_reason)
    if (errors.length > 0)
      return isDone || finishes.length > 0 || errors.length > 1 ? malformed(text.slice(-300)) : failed
    if (!isDone || finishes.length !== 1) return malformed(`no end: ${text.slice(-300)}`)
    const parts: { name: string; json: string }[] = []
    for (const piece of choices.flatMap((choice: Any) => choice.delta?.tool_calls ?? [])) {
      const part = (parts[piece.index] ??= { name: '', json: '' })
      part.name += piece.function?.name ?? ''
      part.json += piece.function?.arguments ?? ''
    }
    return {
      end: 'answer',
      calls: finishes[0] === 'tool_calls' ? parts.map(({ name, json }) => toCall(name, json)) : [],
    }
  }),
}

const responses: DoorAdapter = {
  path: '/v1/responses',
  body: (model, stream) => ({
    model,
    stream,
    input: 'Write it.',
    tools: [{ type: 'function', strict: false, ...tool }],
  }),
  read: guarded(({ status, text, stream }) => {
    const callsOf = (response: Any) =>
      response.output
        .filter((item: Any) => item.type === 'function_call' && item.status === 'completed')
        .map((item: Any) => toCall(item.name, item.arguments))
    if (status !== 200 || !stream) {
      const said = JSON.parse(text) as Any
      if (status !== 200) return typeof said.error.message === 'string' ? failed : malformed(text)
      return said.status === 'failed' ? failed : { end: 'answer', calls: callsOf(said) }
    }
    const all = events(text).filter(({ data }) => data !== '[DONE]')
    const last = all.at(-1)
    if (last === undefined) return malformed('nothing came')
    const { type, response } = JSON.parse(last.data) as Any
    if (type === 'response.failed' || type === 'error') return failed
    if (type !== 'response.completed' && type !== 'response.incomplete') return malformed(`no end: ${type}`)
    return { end: 'answer', calls: callsOf(response) }
  }),
}

const messages: DoorAdapter = {
  path: '/v1/messages',
  body: (model, stream) => ({
    model,
    stream,
    max_tokens: 1000,
    messages: question,
    tools: [{ name: tool.name, description: tool.description, input_schema: schema }],
  }),
  read: guarded(({ status, text, stream }) => {
    if (status !== 200 || !stream) {
      const said = JSON.parse(text) as Any
      if (status !== 200)
        return said.type === 'error' && typeof said.error.message === 'string' ? failed : malformed(text)
      const used = said.content.filter((block: Any) => block.type === 'tool_use')
      const calls = used.map((block: Any) => ({ name: block.name, arguments: block.input }))
      return { end: 'answer', calls: said.stop_reason === 'tool_use' ? calls : [] }
    }
    const all = events(text).map(({ event, data }) => ({ event, data: JSON.parse(data) as Any }))
    const names = all.map(({ event }) => event)
    if (names.includes('error'))
      return names.at(-1) === 'error' && !names.includes('message_stop') ? failed : malformed(names.join())
    if (names.at(-1) !== 'message_stop') return malformed(`no end: ${names.slice(-5).join()}`)
    const stop = all.find(({ event }) => event === 'message_delta')?.data.delta.stop_reason
    const blocks = new Map<number, { name: string; json: string }>()
    const calls: { name: string; arguments: unknown }[] = []
    for (const { event, data } of all) {
      if (event === 'content_block_start' && data.content_block.type === 'tool_use')
        blocks.set(data.index, { name: data.content_block.name, json: '' })
      const block = blocks.get(data.index)
      if (event === 'content_block_delta' && block !== undefined) block.json += data.delta.partial_json ?? ''
      if (event === 'content_block_stop' && block !== undefined && stop === 'tool_use')
        calls.push(toCall(block.name, block.json))
    }
    return { end: 'answer', calls }
  }),
}

const ollama: DoorAdapter = {
  path: '/api/chat',
  body: (model, stream) => ({ model, stream, messages: question, tools: [{ type: 'function', function: tool }] }),
  read: guarded(({ status, text, stream }) => {
    const callsOf = (said: Any) =>
      (said.message?.tool_calls ?? []).map((call: Any) => ({
        name: call.function.name,
        arguments: call.function.arguments,
      }))
    if (status !== 200) return typeof (JSON.parse(text) as Any).error === 'string' ? failed : malformed(text)
    if (!stream) {
      const said = JSON.parse(text) as Any
      return said.done === true ? { end: 'answer', calls: callsOf(said) } : malformed(text)
    }
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Any)
    const last = lines.at(-1)
    // A client carries a call out as soon as it is told, whatever comes after it.
    const calls = lines.flatMap(callsOf)
    if (typeof last.error === 'string') return { end: 'error', calls }
    return last.done === true ? { end: 'answer', calls } : malformed(`no end: ${text.slice(-200)}`)
  }),
}

/** One for each door, by the door's name. */
export const adapters: Readonly<Record<string, DoorAdapter>> = { chat, responses, messages, ollama }
