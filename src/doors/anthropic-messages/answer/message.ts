import type { Event, Usage } from '../../../protocol/event.ts'
import { unfinished } from '../../../protocol/finish.ts'
import { isJsonObject, parseJson } from '../../../protocol/json.ts'
import { joinMetadata, type ProviderMetadata } from '../../../protocol/provider-metadata.ts'
import { toKept } from '../kept/call-metadata.ts'
import { sign } from '../kept/signature.ts'
import { toHead } from './stream.ts'
import { type Ending, type Identity, type Manner, noUsage, toStop, toUsage } from './wire.ts'

type Block =
  | { readonly kind: 'text' | 'thinking'; text: string }
  | {
      readonly kind: 'call'
      readonly id: string
      readonly name: string
      metadata: ProviderMetadata | undefined
      json: string
      isComplete: boolean
    }

/** Events as one message: what a client makes of the stream, with every block that was ended. */
export function printMessage(identity: Identity, events: readonly Event[], manner: Manner): string {
  const blocks: Block[] = []
  let metadata: ProviderMetadata | undefined
  let completeCalls = 0
  let isRefusal = false
  let ending: Ending | undefined
  let usage: Usage = noUsage

  function add(kind: 'text' | 'thinking', text: string): void {
    const last = blocks.at(-1)
    if (last?.kind === kind) last.text += text
    else if (text !== '') blocks.push({ kind, text })
  }

  for (const event of events) {
    const last = blocks.at(-1)
    switch (event.type) {
      case 'text-delta':
        add('text', event.text)
        break
      case 'refusal-delta':
        isRefusal ||= event.text !== ''
        add('text', event.text)
        break
      case 'reasoning-delta':
        if (manner.showsThoughts) add('thinking', event.text)
        break
      case 'call-start':
        blocks.push({
          kind: 'call',
          id: event.id,
          name: event.name,
          metadata: event.metadata,
          json: '',
          isComplete: false,
        })
        break
      case 'call-delta':
        if (last?.kind === 'call') last.json += event.json
        break
      case 'call-end':
        if (last?.kind === 'call') last.isComplete = true
        completeCalls += 1
        break
      case 'call-error':
        // What was cut off is left out; what could not be read was said all the same.
        if (event.reason !== 'cut-off') blocks.push({ kind: 'text', text: event.raw })
        break
      case 'provider-metadata':
        if (event.index === undefined) metadata = joinMetadata(metadata, event.fields)
        else if (last?.kind === 'call') last.metadata = joinMetadata(last.metadata, event.fields)
        break
      case 'usage':
        usage = event
        break
      case 'finish':
        ending ??= { reason: event.reason, stop: event.stop, completeCalls, isRefusal }
        break
    }
  }
  if (ending === undefined) throw unfinished()
  const head = JSON.stringify(toHead(identity)).slice(0, -1)
  const content = blocks.map((block) => printBlock(block, metadata, manner)).filter((text) => text !== '')
  const foot = JSON.stringify({ ...toStop(ending, manner), usage: toUsage(usage) }).slice(1)
  return `${head},"content":[${content.join(',')}],${foot}`
}

function printBlock(block: Block, metadata: ProviderMetadata | undefined, { names, callMetadata }: Manner): string {
  switch (block.kind) {
    case 'text':
      return block.text.trim() === '' ? '' : JSON.stringify({ type: 'text', text: block.text })
    case 'thinking':
      if (block.text.trim() === '') return ''
      return JSON.stringify({ type: 'thinking', thinking: block.text, signature: sign(metadata) })
    case 'call': {
      if (!block.isComplete) return ''
      const id = callMetadata.idOf(block.id, toKept(block.metadata, metadata))
      const head = JSON.stringify({ type: 'tool_use', id, name: names.toOuter(block.name) })
      // As it was written: figures may be longer than a number here can be.
      return `${head.slice(0, -1)},"input":${isJsonObject(parseJson(block.json)) ? block.json : '{}'}}`
    }
  }
}
