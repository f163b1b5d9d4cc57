import { isObject, parsed } from '../text/json.ts'

/** A request as for chat completions. */
export interface ChatBody {
  readonly model: string
  readonly messages: readonly unknown[]
  readonly tools?: readonly unknown[]
  readonly tool_choice?: unknown
  readonly max_tokens?: number
  readonly temperature?: number
  readonly [field: string]: unknown
}

type Fields = Readonly<Record<string, unknown>>

interface Sent {
  readonly path: string
  readonly body: Fields
}

interface Call {
  readonly id: string
  readonly name: string
  readonly json: string
}

const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {})
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function callsOf(message: Fields): readonly Call[] {
  const list = Array.isArray(message['tool_calls']) ? message['tool_calls'].map(fieldsOf) : []
  return list.map(({ id, function: called }) => {
    const { name, arguments: json } = fieldsOf(called)
    return { id: textOf(id), name: textOf(name), json: textOf(json) }
  })
}

const isSystem = (message: Fields): boolean => message['role'] === 'system'

/** System messages as one text, and the others. */
function parts({ messages }: ChatBody): { readonly system: string; readonly rest: readonly Fields[] } {
  const all = messages.map(fieldsOf)
  const system = all.filter(isSystem).map(({ content }) => textOf(content))
  return { system: system.join('\n\n'), rest: all.filter((one) => !isSystem(one)) }
}

const functionsOf = ({ tools = [] }: ChatBody): readonly Fields[] =>
  tools.map((tool) => fieldsOf(fieldsOf(tool)['function']))

function nameOf(choice: unknown): string {
  return textOf(fieldsOf(fieldsOf(choice)['function'])['name'])
}

function toMessages(body: ChatBody): Sent {
  const { model, tool_choice: choice, max_tokens = 4096, temperature } = body
  const { system, rest } = parts(body)
  const choices: Fields = { none: { type: 'none' }, required: { type: 'any' } }
  return {
    path: '/v1/messages',
    body: {
      model,
      max_tokens,
      ...(temperature !== undefined && { temperature }),
      ...(system !== '' && { system }),
      messages: rest.map((message) => {
        const { role, content, tool_call_id } = message
        if (role === 'tool')
          return { role: 'user', content: [{ type: 'tool_result', tool_use_id: tool_call_id, content }] }
        const uses = callsOf(message).map(({ id, name, json }) => ({
          type: 'tool_use',
          id,
          name,
          input: parsed(json) ?? {},
        }))
        if (uses.length === 0) return { role, content }
        return { role, content: [...(textOf(content) === '' ? [] : [{ type: 'text', text: content }]), ...uses] }
      }),
      tools: functionsOf(body).map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
      ...(choice !== undefined && { tool_choice: choices[textOf(choice)] ?? { type: 'tool', name: nameOf(choice) } }),
      stream: true,
    },
  }
}

function toResponses(body: ChatBody): Sent {
  const { model, tool_choice: choice, max_tokens, temperature } = body
  const { system, rest } = parts(body)
  return {
    path: '/v1/responses',
    body: {
      model,
      ...(max_tokens !== undefined && { max_output_tokens: max_tokens }),
      ...(temperature !== undefined && { temperature }),
      ...(system !== '' && { instructions: system }),
      input: rest.flatMap((message): readonly Fields[] => {
        const { role, content, tool_call_id } = message
        if (role === 'tool') return [{ type: 'function_call_output', call_id: tool_call_id, output: content }]
        const calls = callsOf(message).map(({ id, name, json }) => ({
          type: 'function_call',
          call_id: id,
          name,
          arguments: json,
        }))
        return [...(textOf(content) === '' ? [] : [{ role, content }]), ...calls]
      }),
      tools: functionsOf(body).map((tool) => ({ type: 'function', ...tool })),
      ...(choice !== undefined && {
        tool_choice: typeof choice === 'string' ? choice : { type: 'function', name: nameOf(choice) },
      }),
      stream: true,
    },
  }
}

function toOllama({ model, messages, tools, max_tokens, temperature }: ChatBody): Sent {
  const all = messages.map(fieldsOf)
  const names = new Map(all.flatMap(callsOf).map(({ id, name }) => [id, name]))
  return {
    path: '/api/chat',
    body: {
      model,
      messages: all.map((message) => {
        const { role, content, tool_call_id } = message
        if (role === 'tool') return { role, content, tool_name: names.get(textOf(tool_call_id)) }
        const calls = callsOf(message).map(({ name, json }) => ({ function: { name, arguments: parsed(json) ?? {} } }))
        return { role, content, ...(calls.length > 0 && { tool_calls: calls }) }
      }),
      ...(tools !== undefined && { tools }),
      options: {
        ...(temperature !== undefined && { temperature }),
        ...(max_tokens !== undefined && { num_predict: max_tokens }),
      },
    },
  }
}

const toChat = (body: ChatBody): Sent => ({ path: '/v1/chat/completions', body })

const doors: Readonly<Record<string, (body: ChatBody) => Sent>> = {
  chat: toChat,
  responses: toResponses,
  messages: toMessages,
  ollama: toOllama,
}

export const doorNames: readonly string[] = Object.keys(doors)

/** The same request at another door. */
export function toDoor(name: string, body: ChatBody): Sent {
  return (doors[name] ?? toChat)(body)
}
