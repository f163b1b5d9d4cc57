import { signal } from '@preact/signals'
import type { Exchange } from '../../src/traces/exchange.ts'
import { type BlockCall, blocksOf, toolsOf } from '../exchange/panes/blocks.ts'
import { isObject, parsed } from '../text/json.ts'
import type { ChatBody } from './doors.ts'

export interface DraftMessage {
  readonly key: number
  readonly role: string
  readonly text: string
  /** More than words: the text is the whole message, as JSON. */
  readonly isRaw: boolean
  /** The result of this call. */
  readonly callId?: string
}

let count = 0

export function message(role: string, text: string, more: Partial<DraftMessage> = {}): DraftMessage {
  return { key: ++count, role, text, isRaw: false, ...more }
}

const sampleTools = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'The weather in a city',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
        required: ['city'],
      },
    },
  },
]

/** What stands in the playground. It outlives the view, so that one can go and come back. */
export const draft = {
  model: signal(''),
  /** How tools go to the model; empty: as the configuration says. */
  mode: signal(''),
  dialect: signal(''),
  temperature: signal(''),
  maxTokens: signal(''),
  /** Empty: the model chooses; else `none`, `required` or the name of a tool. */
  toolChoice: signal(''),
  door: signal('chat'),
  messages: signal<readonly DraftMessage[]>([message('user', "What's the weather in Aarhus and in Oslo?")]),
  tools: signal(JSON.stringify(sampleTools, null, 2)),
}

export const roles = ['system', 'user', 'assistant', 'tool'] as const

/** Takes up a recorded exchange, whichever API it came by. */
export function takeUp({ asked, model, mode, dialect }: Exchange): void {
  const body = parsed(asked.body?.text ?? '')
  if (model !== undefined) draft.model.value = model
  draft.mode.value = mode === undefined || mode === 'none' ? '' : mode
  draft.dialect.value = mode !== 'native' ? (dialect ?? '') : ''
  const temperature = isObject(body) ? body['temperature'] : undefined
  draft.temperature.value = typeof temperature === 'number' ? String(temperature) : ''
  if (body === undefined) return
  draft.messages.value = blocksOf(body).map(({ role, text, calls, callId }) =>
    callId === undefined ? withCalls(role, text, calls) : message('tool', text, { callId }),
  )
  const tools = toolsOf(body).map(({ name, description, value }) => ({
    type: 'function',
    function: { name, ...(description !== '' && { description }), parameters: value },
  }))
  draft.tools.value = JSON.stringify(tools, null, 2)
}

/** A message that calls tools is edited as JSON. */
function withCalls(role: string, text: string, calls: readonly BlockCall[]): DraftMessage {
  if (calls.length === 0) return message(role, text)
  const tool_calls = calls.map(({ id, ...call }) => ({ id, type: 'function', function: call }))
  return message(role, JSON.stringify({ role, content: text, tool_calls }, null, 2), { isRaw: true })
}

/** Goes on after an answer: its calls join the messages, with a place for the result of each. */
export function answerCalls({ got: { text, calls } }: Exchange): void {
  const made = calls
    .filter(({ choice, isComplete }) => choice === 0 && isComplete)
    .map(({ id, name, arguments: json }) => ({ id, name, arguments: json }))
  const results = made.map(({ id }) => message('tool', '', { callId: id }))
  draft.messages.value = [...draft.messages.value, withCalls('assistant', text, made), ...results]
  // Else a model that has to call never ends.
  draft.toolChoice.value = ''
}

export function toolNames(): readonly string[] {
  return toolsOf({ tools: parsed(draft.tools.value) }).map(({ name }) => name)
}

/** The request the draft stands for. Throws an Error that says what is wrong with it. */
export function toBody(): ChatBody {
  const { model, messages, tools, temperature, maxTokens, toolChoice } = draft
  if (model.value === '') throw new Error('Choose a model.')
  const list = tools.value.trim() === '' ? [] : readJson(tools.value, 'The tools are')
  if (!Array.isArray(list)) throw new Error('The tools have to be an array.')
  return {
    model: model.value,
    messages: messages.value.map((one, i) =>
      one.isRaw
        ? readJson(one.text, `Message ${i + 1} is`)
        : { role: one.role, content: one.text, ...(one.callId !== undefined && { tool_call_id: one.callId }) },
    ),
    ...(list.length > 0 && { tools: list }),
    ...(toolChoice.value !== '' && { tool_choice: toChoice(toolChoice.value) }),
    ...(maxTokens.value !== '' && { max_tokens: Number(maxTokens.value) }),
    ...(temperature.value !== '' && { temperature: Number(temperature.value) }),
    stream: true,
    stream_options: { include_usage: true },
  }
}

function toChoice(choice: string): unknown {
  return choice === 'none' || choice === 'required' ? choice : { type: 'function', function: { name: choice } }
}

function readJson(text: string, subject: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${subject} not JSON: ${(error as SyntaxError).message}`)
  }
}
