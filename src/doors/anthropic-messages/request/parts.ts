import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { Content, Part } from '../../../protocol/message.ts'
import { note, type Reading, textIn, toBlocks } from './reading.ts'

/** A block that speaks to the model, as parts of a message. What no model can be given is told in a line. */
export function readPart(block: JsonObject, reading: Reading): readonly Part[] {
  switch (block['type']) {
    case 'text':
      return words(textIn(block, 'text'))
    case 'image':
      return [readImage(block['source'], reading)]
    case 'document':
      return [readDocument(block, reading)]
    case 'tool_reference': {
      const name = textIn(block, 'tool_name')
      reading.loaded.add(name)
      return words(`Tool ${reading.names.toInner(name)} is now available.`)
    }
    case 'tool_search_tool_result':
      for (const name of referencesIn(block['content'])) reading.loaded.add(name)
      return []
    case 'server_tool_use':
      return textIn(block, 'name').startsWith('tool_search_tool') ? [] : [tell(block, reading)]
    case 'search_result':
      return words([textIn(block, 'title'), textIn(block, 'source'), ...textsIn(block['content'])].join('\n'))
    case 'thinking':
    case 'redacted_thinking':
      return []
    default:
      return [tell(block, reading)]
  }
}

/** A string wherever there are only words: the same message comes as blocks in one turn and as a string in the next. */
export function toContent(parts: readonly Part[]): Content {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === parts.length ? texts.join('\n\n') : parts
}

function words(text: string): readonly Part[] {
  return text === '' ? [] : [{ type: 'text', text }]
}

function readImage(source: unknown, reading: Reading): Part {
  const fields = isJsonObject(source) ? source : {}
  const url = textIn(fields, 'url')
  if (url !== '') return { type: 'image', url }
  const data = textIn(fields, 'data')
  const type = textIn(fields, 'media_type') || 'image/png'
  if (data !== '') return { type: 'image', url: `data:${type};base64,${data}` }
  note(reading, 'item_dropped', 'image')
  return { type: 'text', text: '[image omitted]' }
}

/** Of a text, its text; of a PDF, a file part. */
function readDocument(block: JsonObject, reading: Reading): Part {
  const source = isJsonObject(block['source']) ? block['source'] : {}
  const title = textIn(block, 'title')
  const data = textIn(source, 'data')
  if (source['type'] === 'text') return { type: 'text', text: data }
  if (source['type'] === 'content') return { type: 'text', text: textsIn(source['content']).join('\n') }
  if (source['type'] === 'base64' && data !== '') {
    const type = textIn(source, 'media_type') || 'application/pdf'
    const file = { filename: title || 'document.pdf', file_data: `data:${type};base64,${data}` }
    return { type: 'other', value: { type: 'file', file } }
  }
  note(reading, 'item_dropped', 'document')
  return { type: 'text', text: `[document omitted: ${title || 'untitled'}]` }
}

/** The tools that a search of the vendor's kind has found. */
function referencesIn(content: unknown): readonly string[] {
  const found = isJsonObject(content) ? content['tool_references'] : undefined
  return toBlocks(found).map((reference) => textIn(reference, 'tool_name'))
}

/** What the vendor's own tools left in a conversation, and what is newer than this. */
function tell(block: JsonObject, reading: Reading): Part {
  const type = textIn(block, 'type') || 'block'
  note(reading, 'item_dropped', type)
  const said = [textIn(block, 'name'), textIn(block, 'text'), ...textsIn(block['content'])].filter(
    (text) => text !== '',
  )
  const input = isJsonObject(block['input']) ? [JSON.stringify(block['input'])] : []
  return { type: 'text', text: `[${[type, ...said, ...input].join(' ').slice(0, mostTold)}]` }
}

const mostTold = 2_000

function textsIn(content: unknown): readonly string[] {
  return toBlocks(content).flatMap((block) => {
    const text = textIn(block, 'text') || textIn(block, 'title')
    return text === '' ? [] : [text]
  })
}
