import { ask } from '../server/scripted.ts'

/** A conversation, in no wire of a door. */
export type Step =
  | { readonly from: 'system' | 'user'; readonly text: string }
  | { readonly from: 'model'; readonly said: Said }
  /** One for each call of what the model said before. */
  | { readonly from: 'tools'; readonly results: readonly string[] }

export interface Said {
  readonly text: string
  readonly thoughts: string
  readonly calls: readonly SaidCall[]
  readonly end: 'stop' | 'length'
  readonly usage: readonly [prompt: number, completion: number]
}

export interface SaidCall {
  readonly id: string
  readonly name: string
  readonly arguments: object
}

export interface ToolFields {
  readonly name: string
  readonly description: string
  readonly parameters: object
}

export interface Question {
  readonly port: number
  readonly model: string
  readonly steps: readonly Step[]
  readonly tools: readonly ToolFields[]
  readonly stream: boolean
}

/** One protocol as its clients speak it: a question put into its wire, and its answer taken out of it. */
export type Adapter = (question: Question) => Promise<Said>

/** The calls that the results at this place answer. */
function callsBefore(steps: readonly Step[], index: number): readonly SaidCall[] {
  const before = steps[index - 1]
  if (before?.from !== 'model') throw new Error('results follow what the model said')
  return before.said.calls
}

async function post(port: number, path: string, body: object, headers: Record<string, string> = {}): Promise<string> {
  const { status, text } = await ask(port, { path, body, headers: { 'content-type': 'application/json', ...headers } })
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
  return text
}

interface ChatCall {
  readonly index: number
  id?: string
  readonly function: { name?: string; arguments?: string }
}

interface ChatMessage {
  readonly content?: string | null
  readonly reasoning_content?: string
  readonly tool_calls?: readonly ChatCall[]
}

const chat: Adapter = async ({ port, model, steps, tools, stream }) => {
  const messages = steps.flatMap((step, index): object[] => {
    if (step.from === 'model') {
      const calls = step.said.calls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: JSON.stringify(call.arguments) },
      }))
      return [{ role: 'assistant', content: step.said.text, ...(calls.length > 0 && { tool_calls: calls }) }]
    }
    if (step.from !== 'tools') return [{ role: step.from, content: step.text }]
    const calls = callsBefore(steps, index)
    return step.results.map((content, place) => ({ role: 'tool', tool_call_id: calls[place]?.id, content }))
  })
  const body = { model, messages, stream, tools: tools.map((tool) => ({ type: 'function', function: tool })) }
  const text = await post(port, '/v1/chat/completions', {
    ...body,
    ...(stream && { stream_options: { include_usage: true } }),
  })
  const chunks = stream
    ? text.split('\n\n').flatMap((frame) => (frame.startsWith('data: {') ? [JSON.parse(frame.slice(6))] : []))
    : [JSON.parse(text)]
  const choices = chunks.flatMap((chunk) => chunk.choices ?? [])
  const pieces: ChatMessage[] = choices.map((choice) => choice.delta ?? choice.message)
  const heads = new Map<number, { id: string; name: string; json: string }>()
  for (const [place, call] of pieces.flatMap((piece) => piece.tool_calls ?? []).entries()) {
    const key = call.index ?? place
    const known = heads.get(key) ?? { id: call.id ?? '', name: call.function.name ?? '', json: '' }
    heads.set(key, { ...known, json: known.json + (call.function.arguments ?? '') })
  }
  const { usage } = chunks.findLast((chunk) => chunk.usage)
  return {
    text: pieces.map(({ content }) => content ?? '').join(''),
    thoughts: pieces.map((piece) => piece.reasoning_content ?? '').join(''),
    calls: [...heads.values()].map(({ id, name, json }) => ({ id, name, arguments: JSON.parse(json) })),
    end: choices.at(-1).finish_reason === 'length' ? 'length' : 'stop',
    usage: [usage.prompt_tokens, usage.completion_tokens],
  }
}

const ollama: Adapter = async ({ port, model, steps, tools, stream }) => {
  const messages = steps.flatMap((step, index): object[] => {
    if (step.from === 'model') {
      const calls = step.said.calls.map(({ id, name, arguments: given }) => ({
        id,
        function: { name, arguments: given },
      }))
      return [{ role: 'assistant', content: step.said.text, ...(calls.length > 0 && { tool_calls: calls }) }]
    }
    if (step.from !== 'tools') return [{ role: step.from, content: step.text }]
    return step.results.map((content, place) => ({
      role: 'tool',
      tool_name: callsBefore(steps, index)[place]?.name,
      content,
    }))
  })
  const body = { model, messages, stream, tools: tools.map((tool) => ({ type: 'function', function: tool })) }
  const lines = (await post(port, '/api/chat', body))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const last = lines.at(-1)
  return {
    text: lines.map(({ message }) => message.content).join(''),
    thoughts: lines.map(({ message }) => message.thinking ?? '').join(''),
    calls: lines
      .flatMap(({ message }) => message.tool_calls ?? [])
      .map(({ id, function: made }) => ({ id, name: made.name, arguments: made.arguments })),
    end: last.done_reason,
    usage: [last.prompt_eval_count, last.eval_count],
  }
}

interface Block {
  readonly type: string
  readonly text?: string
  readonly thinking?: string
  readonly id?: string
  readonly name?: string
  readonly input?: object
}

interface BlockEvent {
  readonly type: string
  readonly index: number
  readonly content_block?: Block
  readonly delta?: { readonly text?: string; readonly thinking?: string; readonly partial_json?: string }
}

/** A streamed message put together: blocks by their places. */
function toBlocks(events: readonly BlockEvent[]): readonly Block[] {
  const starts = events.filter(({ type }) => type === 'content_block_start')
  return starts.map(({ index, content_block: start }) => {
    const deltas = events.flatMap((one) =>
      one.type === 'content_block_delta' && one.index === index ? [one.delta] : [],
    )
    const joined = (field: 'text' | 'thinking' | 'partial_json') => deltas.map((delta) => delta?.[field] ?? '').join('')
    return {
      type: start?.type ?? '',
      ...start,
      text: joined('text'),
      thinking: joined('thinking'),
      input: start?.type === 'tool_use' ? JSON.parse(joined('partial_json') || '{}') : {},
    }
  })
}

const messages: Adapter = async ({ port, model, steps, tools, stream }) => {
  const told = steps.flatMap((step, index): object[] => {
    if (step.from === 'model') {
      const { text, calls } = step.said
      const uses = calls.map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input }))
      return [{ role: 'assistant', content: [...(text === '' ? [] : [{ type: 'text', text }]), ...uses] }]
    }
    if (step.from !== 'tools') return step.from === 'user' ? [{ role: 'user', content: step.text }] : []
    const calls = callsBefore(steps, index)
    const results = step.results.map((content, place) => ({
      type: 'tool_result',
      tool_use_id: calls[place]?.id,
      content,
    }))
    return [{ role: 'user', content: results }]
  })
  const system = steps.flatMap((step) => (step.from === 'system' ? [step.text] : [])).join('\n\n')
  const offered = tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }))
  const thinking = { type: 'enabled', budget_tokens: 1024 }
  const body = { model, max_tokens: 4096, system, messages: told, tools: offered, thinking, stream }
  const text = await post(port, '/v1/messages', body, { 'anthropic-version': '2023-06-01' })
  const events = stream
    ? text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []))
    : []
  const whole = stream ? events.find(({ type }) => type === 'message_delta') : JSON.parse(text)
  const blocks: readonly Block[] = stream ? toBlocks(events) : whole.content
  const joined = (type: 'text' | 'thinking') => blocks.map((block) => (block.type === type ? block[type] : '')).join('')
  return {
    text: joined('text'),
    thoughts: joined('thinking'),
    calls: blocks.flatMap(({ type, id = '', name = '', input = {} }) =>
      type === 'tool_use' ? [{ id, name, arguments: input }] : [],
    ),
    end: (stream ? whole.delta.stop_reason : whole.stop_reason) === 'max_tokens' ? 'length' : 'stop',
    usage: [whole.usage.input_tokens, whole.usage.output_tokens],
  }
}

interface Item {
  readonly type: string
  readonly content?: readonly { readonly text: string }[]
  readonly summary?: readonly { readonly text: string }[]
  readonly call_id?: string
  readonly name?: string
  readonly arguments?: string
}

const responses: Adapter = async ({ port, model, steps, tools, stream }) => {
  const input = steps.flatMap((step, index): object[] => {
    if (step.from === 'model') {
      const { text, calls } = step.said
      const made = calls.map(({ id, name, arguments: given }) => ({
        type: 'function_call',
        call_id: id,
        name,
        arguments: JSON.stringify(given),
      }))
      const words = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }
      return [...(text === '' ? [] : [words]), ...made]
    }
    if (step.from !== 'tools') return step.from === 'user' ? [{ role: 'user', content: step.text }] : []
    const calls = callsBefore(steps, index)
    return step.results.map((output, place) => ({
      type: 'function_call_output',
      call_id: calls[place]?.id,
      output,
    }))
  })
  const instructions = steps.flatMap((step) => (step.from === 'system' ? [step.text] : [])).join('\n\n')
  const offered = tools.map((tool) => ({ type: 'function', ...tool }))
  const reasoning = { summary: 'auto' }
  const body = { model, instructions, input, tools: offered, reasoning, store: false, stream }
  const text = await post(port, '/v1/responses', body)
  const events = stream
    ? text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
    : []
  const whole = stream ? events.at(-1).response : JSON.parse(text)
  const items: readonly Item[] = stream
    ? events.flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item] : []))
    : whole.output
  const textsOf = (type: string, field: 'content' | 'summary') =>
    items
      .flatMap((item) => (item.type === type ? (item[field] ?? []) : []))
      .map((part) => part.text)
      .join('')
  return {
    text: textsOf('message', 'content'),
    thoughts: textsOf('reasoning', 'summary') || textsOf('reasoning', 'content'),
    calls: items.flatMap(({ type, call_id: id = '', name = '', arguments: json = '' }) =>
      type === 'function_call' ? [{ id, name, arguments: JSON.parse(json) }] : [],
    ),
    end: whole.status === 'incomplete' ? 'length' : 'stop',
    usage: [whole.usage.input_tokens, whole.usage.output_tokens],
  }
}

/** Every door by its name. A door that joins the registry gets its line here; the law fails until it has one. */
export const adapters: Readonly<Record<string, Adapter>> = { chat, responses, messages, ollama }
