import { signal } from '@preact/signals'
import type { Exchange } from '../../src/traces/exchange.ts'
import { blocksOf, toolsOf } from '../exchange/panes/blocks.ts'
import { isObject, parsed } from '../text/json.ts'

export interface DraftMessage {
  readonly key: number
  readonly role: string
  readonly text: string
  /** More than words: the text is the whole message, as JSON. */
  readonly isRaw: boolean
}

let count = 0

export function message(role: string, text: string, isRaw = false): DraftMessage {
  return { key: ++count, role, text, isRaw }
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
  mode: signal<'' | 'native' | 'prompt'>(''),
  dialect: signal(''),
  temperature: signal(''),
  messages: signal<readonly DraftMessage[]>([message('user', "What's the weather in Aarhus and in Oslo?")]),
  tools: signal(JSON.stringify(sampleTools, null, 2)),
}

export const roles = ['system', 'user', 'assistant', 'tool'] as const

/** Takes up a recorded exchange, whichever API it came by. */
export function takeUp({ asked, model, mode, dialect }: Exchange): void {
  const body = parsed(asked.body?.text ?? '')
  if (model !== undefined) draft.model.value = model
  draft.mode.value = mode === 'native' || mode === 'prompt' ? mode : ''
  draft.dialect.value = mode === 'prompt' ? (dialect ?? '') : ''
  const temperature = isObject(body) ? body['temperature'] : undefined
  draft.temperature.value = typeof temperature === 'number' ? String(temperature) : ''
  if (body === undefined) return
  draft.messages.value = blocksOf(body).map(({ role, text, calls, callId }) => {
    if (calls.length === 0 && callId === undefined) return message(role, text)
    const tool_calls = calls.map(({ id, ...call }) => ({ id, type: 'function', function: call }))
    const raw = {
      role,
      content: text,
      ...(calls.length > 0 && { tool_calls }),
      ...(callId !== undefined && { tool_call_id: callId }),
    }
    return message(role, JSON.stringify(raw, null, 2), true)
  })
  const tools = toolsOf(body).map(({ name, description, value }) => ({
    type: 'function',
    function: { name, ...(description !== '' && { description }), parameters: value },
  }))
  draft.tools.value = JSON.stringify(tools, null, 2)
}

/** The request the draft stands for. Throws an Error that says what is wrong with it. */
export function toBody(): Readonly<Record<string, unknown>> {
  const { model, messages, tools, temperature } = draft
  if (model.value === '') throw new Error('Choose a model.')
  const list = tools.value.trim() === '' ? [] : readJson(tools.value, 'The tools are')
  if (!Array.isArray(list)) throw new Error('The tools have to be an array.')
  return {
    model: model.value,
    messages: messages.value.map((one, i) =>
      one.isRaw ? readJson(one.text, `Message ${i + 1} is`) : { role: one.role, content: one.text },
    ),
    ...(list.length > 0 && { tools: list }),
    ...(temperature.value !== '' && { temperature: Number(temperature.value) }),
    stream: true,
    stream_options: { include_usage: true },
  }
}

function readJson(text: string, subject: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${subject} not JSON: ${(error as SyntaxError).message}`)
  }
}
