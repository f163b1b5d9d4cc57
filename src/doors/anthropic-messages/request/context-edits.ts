import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { textIn, toBlocks } from './reading.ts'

/** A request after what its client wants cleared of it. */
export interface Edited {
  readonly body: JsonObject
  /** As the answer tells them; undefined where the client did not ask for any. */
  readonly applied?: readonly JsonObject[]
  /** What the prompt had before, where it was counted. */
  readonly originalTokens?: number
}

type Count = (body: JsonObject) => Promise<number>

/**
 * `context_management`: what a conversation may lose is cleared before the model sees it. Its client keeps all of it, and
 * sends all of it again.
 */
export async function editContext(body: JsonObject, count: Count): Promise<Edited> {
  const management = body['context_management']
  if (!isJsonObject(management)) return { body }
  const edits = Array.isArray(management['edits']) ? management['edits'].filter(isJsonObject) : []
  const applied: JsonObject[] = []
  const counted = createCounts(count)
  let edited = body
  for (const edit of edits) {
    const clear = typeof edit['type'] === 'string' ? clearings[edit['type']] : undefined
    const cleared = clear === undefined ? undefined : await clear(edited, edit, counted.of)
    if (cleared === undefined) continue
    const tokens = Math.max(0, (await counted.of(edited)) - (await counted.of(cleared.body)))
    const least = amountOf(edit['clear_at_least'], 'input_tokens') ?? 0
    if (tokens < least) continue
    edited = cleared.body
    applied.push({ type: edit['type'] ?? null, ...cleared.figures, cleared_input_tokens: tokens })
  }
  const originalTokens = counted.known(body)
  return { body: edited, applied, ...(originalTokens !== undefined && { originalTokens }) }
}

/** The same body is counted once. */
function createCounts(count: Count) {
  const known = new Map<JsonObject, number>()
  return {
    known: (body: JsonObject) => known.get(body),
    async of(body: JsonObject): Promise<number> {
      const tokens = known.get(body) ?? (await count(body))
      known.set(body, tokens)
      return tokens
    },
  }
}

interface Cleared {
  readonly body: JsonObject
  readonly figures: JsonObject
}

type Clear = (body: JsonObject, edit: JsonObject, count: Count) => Promise<Cleared | undefined>

const defaultTrigger = 100_000
const defaultKept = 3
const placeholder = '[This tool result was cleared to save space. Call the tool again if it is needed.]'

const clearToolUses: Clear = async (body, edit, count) => {
  const uses = toolUsesIn(body)
  const kept = amountOf(edit['keep'], 'tool_uses') ?? defaultKept
  const excluded = namesIn(edit['exclude_tools'])
  const old = uses.slice(0, Math.max(0, uses.length - kept)).filter(({ name }) => !excluded.has(name))
  if (old.length === 0 || !(await isTriggered(edit['trigger'], body, uses.length, count))) return undefined
  const ids = new Map(old.map(({ id, name }) => [id, name]))
  const inputs = edit['clear_tool_inputs']
  const clearsInput = (name: string): boolean => (Array.isArray(inputs) ? inputs.includes(name) : inputs === true)
  const changed = mapBlocks(body, (block) => {
    if (block['type'] === 'tool_result' && ids.has(textIn(block, 'tool_use_id')) && !namesTools(block)) {
      return { ...block, content: placeholder }
    }
    const name = block['type'] === 'tool_use' ? ids.get(textIn(block, 'id')) : undefined
    return name !== undefined && clearsInput(name) ? { ...block, input: {} } : block
  })
  return { body: changed, figures: { cleared_tool_uses: old.length } }
}

/** Tools that a search found are offered because its result says so. */
function namesTools(result: JsonObject): boolean {
  return toBlocks(result['content']).some(({ type }) => type === 'tool_reference')
}

async function isTriggered(trigger: Json | undefined, body: JsonObject, uses: number, count: Count): Promise<boolean> {
  const mostUses = amountOf(trigger, 'tool_uses')
  if (mostUses !== undefined) return uses > mostUses
  const most = amountOf(trigger, 'input_tokens') ?? defaultTrigger
  // A token has a character at least, and tools are printed once or twice: most prompts need no count.
  return JSON.stringify(body).length * 2 > most && (await count(body)) > most
}

interface ToolUse {
  readonly id: string
  readonly name: string
}

/** Those that have a result, in order. */
function toolUsesIn(body: JsonObject): readonly ToolUse[] {
  const blocks = messagesOf(body).flatMap(({ content }) => toBlocks(content))
  const answered = new Set(
    blocks.flatMap((block) => (block['type'] === 'tool_result' ? [textIn(block, 'tool_use_id')] : [])),
  )
  return blocks.flatMap((block): readonly ToolUse[] => {
    const id = textIn(block, 'id')
    return block['type'] === 'tool_use' && answered.has(id) ? [{ id, name: textIn(block, 'name') }] : []
  })
}

const clearThinking: Clear = async (body, edit) => {
  const { keep } = edit
  if (keep === 'all' || (isJsonObject(keep) && keep['type'] === 'all')) return undefined
  const kept = amountOf(keep, 'thinking_turns') ?? 1
  const turns = thinkingTurnsOf(messagesOf(body))
  const old = new Set(turns.slice(0, Math.max(0, turns.length - kept)).flat())
  if (old.size === 0) return undefined
  const changed = mapBlocks(body, (block) => (old.has(block) ? undefined : block))
  return { body: changed, figures: { cleared_thinking_turns: turns.length - kept } }
}

/** The thoughts of each turn that has any. A turn goes on through results of tools, and ends with the user's words. */
function thinkingTurnsOf(messages: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const turns: JsonObject[][] = []
  let turn: JsonObject[] = []
  for (const { role, content } of messages) {
    const blocks = toBlocks(content)
    const isUser = role === 'user' && !blocks.some(({ type }) => type === 'tool_result')
    if (isUser) turn = []
    for (const block of blocks) {
      if (block['type'] !== 'thinking' && block['type'] !== 'redacted_thinking') continue
      if (turn.length === 0) turns.push(turn)
      turn.push(block)
    }
  }
  return turns
}

const clearings: Readonly<Record<string, Clear | undefined>> = {
  clear_tool_uses_20250919: clearToolUses,
  clear_thinking_20251015: clearThinking,
}

function messagesOf({ messages }: JsonObject): readonly JsonObject[] {
  return Array.isArray(messages) ? messages.filter(isJsonObject) : []
}

/** The body with each block of its messages as it is given back, or without it. */
function mapBlocks(body: JsonObject, change: (block: JsonObject) => JsonObject | undefined): JsonObject {
  const { messages } = body
  if (!Array.isArray(messages)) return body
  const changed = messages.map((message: Json): Json => {
    if (!isJsonObject(message) || !Array.isArray(message['content'])) return message
    const content = message['content'].flatMap((block: Json): readonly Json[] => {
      if (!isJsonObject(block)) return [block]
      const given = change(block)
      return given === undefined ? [] : [given]
    })
    return { ...message, content }
  })
  return { ...body, messages: changed }
}

/** `{"type": "input_tokens", "value": 50000}` */
function amountOf(value: Json | undefined, type: string): number | undefined {
  if (!isJsonObject(value) || value['type'] !== type) return undefined
  const amount = value['value']
  return typeof amount === 'number' && amount >= 0 ? amount : undefined
}

function namesIn(value: Json | undefined): ReadonlySet<Json> {
  return new Set(Array.isArray(value) ? (value as readonly Json[]) : [])
}
