import { isObject } from '../../text/json.ts'

/** One message as it is shown: whatever door it came by. */
export interface Block {
  readonly role: string
  /** How many answers stand before it: the same in what was asked and in what was sent. */
  readonly turn: number
  readonly text: string
  /** The result of this call. */
  readonly callId?: string
  readonly calls: readonly BlockCall[]
}

export interface BlockCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

type Fields = Readonly<Record<string, unknown>>

/** The messages of a request body of any of the four APIs. */
export function blocksOf(body: unknown): readonly Block[] {
  if (!isObject(body)) return []
  const blocks: Block[] = []
  let turn = 0
  const add = (role: string, text: string, more: Partial<Block> = {}): void => {
    blocks.push({ role, turn, text, calls: [], ...more })
    if (role === 'assistant') turn++
  }
  const system = body['system'] ?? body['instructions']
  if (system !== undefined && system !== null) add('system', textOf(system))
  if (typeof body['prompt'] === 'string') add('user', body['prompt'])
  if (typeof body['input'] === 'string') add('user', body['input'])
  for (const item of listOf(body['messages'] ?? body['input'])) addItem(item, add)
  return blocks
}

type Add = (role: string, text: string, more?: Partial<Block>) => void

function addItem(item: Fields, add: Add): void {
  const role = typeof item['role'] === 'string' ? item['role'] : ''
  switch (item['type']) {
    case 'function_call':
    case 'custom_tool_call':
      return add('assistant', '', {
        calls: [toCall(item['call_id'], item['name'], item['arguments'] ?? item['input'])],
      })
    case 'function_call_output':
    case 'custom_tool_call_output':
      return add('tool', textOf(item['output']), { callId: String(item['call_id'] ?? '') })
    case 'reasoning':
      return add('reasoning', textOf(item['summary']))
    default:
  }
  const parts = listOf(item['content'])
  for (const part of parts)
    if (part['type'] === 'tool_result')
      add('tool', textOf(part['content']), { callId: String(part['tool_use_id'] ?? '') })
  const calls = [
    ...listOf(item['tool_calls']).map(({ id, function: called, custom }) => {
      const fields = isObject(called) ? called : isObject(custom) ? custom : {}
      return toCall(id, fields['name'], fields['arguments'] ?? fields['input'])
    }),
    ...parts.flatMap((part) => (part['type'] === 'tool_use' ? [toCall(part['id'], part['name'], part['input'])] : [])),
  ]
  const rest = Array.isArray(item['content'])
    ? parts.filter(({ type }) => !/^tool_(use|result)$/.test(String(type)))
    : item['content']
  const text = textOf(rest)
  if (text === '' && calls.length === 0 && parts.length > 0 && role === 'user') return
  const callId = item['tool_call_id'] ?? item['tool_name']
  add(role === 'function' ? 'tool' : role, text, { calls, ...(typeof callId === 'string' && { callId }) })
}

function toCall(id: unknown, name: unknown, value: unknown): BlockCall {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? {})
  return { id: typeof id === 'string' ? id : '', name: String(name ?? ''), arguments: text }
}

/** The words of a content; what is no text is named in brackets. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (content === undefined || content === null) return ''
  if (!Array.isArray(content)) return JSON.stringify(content, null, 2)
  return content
    .map((part: unknown) => {
      if (typeof part === 'string') return part
      if (!isObject(part)) return JSON.stringify(part)
      if (typeof part['text'] === 'string') return part['text']
      if (typeof part['thinking'] === 'string') return part['thinking']
      return `[${String(part['type'] ?? 'part')}]`
    })
    .join('\n')
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly value: unknown
  /** About so many: four characters each. */
  readonly tokens: number
}

export function toolsOf(body: unknown): readonly OfferedTool[] {
  if (!isObject(body)) return []
  return listOf(body['tools'] ?? body['functions']).map((tool) => {
    const inner = [tool['function'], tool['custom']].find(isObject) ?? tool
    return {
      name: String(inner['name'] ?? tool['type'] ?? ''),
      description: typeof inner['description'] === 'string' ? inner['description'] : '',
      value: inner['parameters'] ?? inner['input_schema'] ?? inner,
      tokens: Math.round(JSON.stringify(tool).length / 4),
    }
  })
}

/** What a request asks for besides messages and tools: `temperature: 0.2`, `tool_choice: "auto"`. */
export function settingsOf(body: unknown): readonly (readonly [string, unknown])[] {
  if (!isObject(body)) return []
  const shown = new Set(['messages', 'input', 'tools', 'functions', 'system', 'instructions', 'prompt'])
  return Object.entries(body).filter(([key]) => !shown.has(key))
}
