import type { Call } from '../../../protocol/call.ts'
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../protocol/json.ts'
import type { AssistantMessage, Message, Part, Spoken, ToolMessage } from '../../../protocol/message.ts'
import { readMessageMetadata } from '../../../protocol/provider-metadata.ts'
import { saysFailure } from '../../../protocol/text/failure.ts'
import { array, fail, object, oneOf, wrongType } from '../../shared/fields.ts'
import { joinTexts } from '../../shared/history.ts'
import { unseal } from '../../shared/seal.ts'
import { readPart, toContent } from './parts.ts'
import { note, type Reading, textIn, toBlocks } from './reading.ts'

const role = oneOf('user', 'assistant', 'system', 'developer')

/** The messages of a request, one by one: a message of this protocol may be several of ours. */
export function readConversation(value: unknown, reading: Reading): readonly Message[] {
  if (Array.isArray(value) && value.length === 0) fail('empty_array', 'At least one message is required.', 'messages')
  let count = 0
  return array((entry, path) => readMessage(object(entry, path), path, count++, reading))(value, 'messages').flat()
}

function readMessage(fields: JsonObject, path: string, index: number, reading: Reading): readonly Message[] {
  const { content } = fields
  if (content !== undefined && content !== null && typeof content !== 'string' && !Array.isArray(content))
    wrongType(content, `${path}.content`, 'a string or an array of blocks')
  switch (role(fields['role'], `${path}.role`)) {
    case 'assistant':
      // Calls as OpenAI's clients write them; here they are blocks.
      if (Array.isArray(fields['tool_calls']) && fields['tool_calls'].length > 0)
        note(reading, 'item_dropped', 'tool_calls')
      return readAssistant(toBlocks(content), index, reading)
    case 'user':
      return readUser(toBlocks(content), reading)
    default: {
      const introduces = toBlocks(content).flatMap((block) => changeTools(block, reading))
      const text = readSystem(content)
      if (introduces.length === 0) return text === '' ? [] : [{ role: 'system', content: text }]
      const told = `Available from here on: ${introduces.join(', ')}`
      return [{ role: 'system', content: text === '' ? told : `${text}\n\n${told}`, introduces }]
    }
  }
}

/** Instructions may change the tools on the way. Gives the names of those that came. */
function changeTools({ type, tool }: JsonObject, reading: Reading): readonly string[] {
  if (!isJsonObject(tool) || (type !== 'tool_addition' && type !== 'tool_removal')) return []
  const definition = isJsonObject(tool['definition']) ? tool['definition'] : undefined
  const name = textIn(definition ?? tool, 'name')
  if (type === 'tool_removal') {
    reading.withdrawn.add(name)
    return []
  }
  reading.withdrawn.delete(name)
  reading.loaded.add(name)
  if (definition !== undefined) {
    const place = reading.defined.findIndex((one) => one['name'] === name)
    reading.defined.splice(place === -1 ? reading.defined.length : place, place === -1 ? 0 : 1, definition)
  }
  return [reading.names.toInner(name)]
}

/** Results come first, whatever they stood between: services want them next to their calls. */
function readUser(blocks: readonly JsonObject[], reading: Reading): readonly Message[] {
  const results: ToolMessage[] = []
  const shown: Part[] = []
  const said: Part[] = []
  for (const block of blocks) {
    if (block['type'] === 'tool_result') {
      const result = readResult(block, reading)
      results.push(result.message)
      shown.push(...result.shown)
    } else said.push(...readPart(block, reading))
  }
  const parts = [...shown, ...said]
  return parts.length === 0 ? results : [...results, { role: 'user', content: toContent(parts) }]
}

function readAssistant(blocks: readonly JsonObject[], index: number, reading: Reading): readonly AssistantMessage[] {
  let calls = 0
  const spoken = blocks.flatMap((block): readonly Spoken[] => {
    if (block['type'] === 'tool_use') {
      return [{ type: 'call', call: readCall(block, `call_message${index}_${calls++}`, reading) }]
    }
    return block['type'] === 'thinking' ? readThought(block) : readPart(block, reading)
  })
  // Thoughts alone are no message: services refuse one that says nothing.
  if (spoken.every(({ type }) => type === 'thought')) return []
  return [{ role: 'assistant', content: joinTexts(spoken) }]
}

function readThought(block: JsonObject): readonly Spoken[] {
  const text = textIn(block, 'thinking')
  const metadata = readMessageMetadata(unseal(block['signature'])?.message ?? {})
  if (metadata !== undefined) return [{ type: 'thought', text, metadata }]
  return text === '' ? [] : [{ type: 'thought', text }]
}

function readCall(block: JsonObject, nameless: string, reading: Reading): Call {
  const name = textIn(block, 'name')
  if (name === '') note(reading, 'history_healed', 'tool_use without a name')
  return {
    id: textIn(block, 'id') || nameless,
    kind: 'function',
    name: reading.names.toInner(name || 'unknown'),
    arguments: toArguments(block['input']),
  }
}

/** Where a client could not read what a model wrote, it keeps it like this. */
const unparsed = '__unparsedToolInput'

function toArguments(input: Json | undefined): string {
  if (input === undefined || input === null) return '{}'
  if (typeof input === 'string') return input
  const kept = isJsonObject(input) ? input[unparsed] : undefined
  const raw = isJsonObject(kept) ? textIn(kept, 'raw') : ''
  return raw !== '' && isJsonObject(parseJson(raw)) ? raw : JSON.stringify(input)
}

interface Result {
  readonly message: ToolMessage
  /** What is no text: services take it from users only. */
  readonly shown: readonly Part[]
}

function readResult(block: JsonObject, reading: Reading): Result {
  const parts = toBlocks(block['content']).flatMap((inner) => readPart(inner, reading))
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  const shown = parts.filter((part) => part.type !== 'text')
  const told = text === '' && shown.length > 0 ? '(see the next message)' : text
  const introduces = toBlocks(block['content']).flatMap((inner) =>
    inner['type'] === 'tool_reference' ? [reading.names.toInner(textIn(inner, 'tool_name'))] : [],
  )
  return {
    message: {
      role: 'tool',
      callId: textIn(block, 'tool_use_id'),
      content: block['is_error'] === true ? toFailure(told) : told,
      ...(introduces.length > 0 && { introduces }),
    },
    shown,
  }
}

function toFailure(text: string): string {
  return saysFailure(text) ? text : `Error: ${text || 'the tool failed and gave no reason.'}`
}

/** Changes with every version and session of its client, says nothing to a model, and would spoil every cache of prompts. */
const billing = /^x-anthropic-billing-header:[^\n]*\n?/gim

/** Instructions as one text. */
export function readSystem(content: unknown): string {
  return toBlocks(content)
    .map((block) => textIn(block, 'text').replace(billing, ''))
    .filter((text) => text.trim() !== '')
    .join('\n\n')
}
