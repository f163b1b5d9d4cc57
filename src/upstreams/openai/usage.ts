import { byteLength } from '../../bytes.ts'
import type { Usage } from '../../protocol/event.ts'
import type { Memory } from '../../protocol/memory/memory.ts'
import { callsOf, textOf } from '../../protocol/message.ts'
import type { Writable } from '../../protocol/writable.ts'
import type { ContextWindow, UpstreamEvent, UpstreamRequest } from '../upstream.ts'
import type { BodyReader } from '../wire/stream.ts'

/** How much text a request puts before the model. */
export interface PromptSize {
  readonly characters: number
  readonly bytes: number
}

export function sizeOf({ messages, tools }: UpstreamRequest): PromptSize {
  const texts = messages.flatMap((message) => [
    textOf(message.content),
    ...callsOf(message).flatMap((call) => [call.name, call.arguments]),
  ])
  return sizeOfTexts(tools.length === 0 ? texts : [...texts, JSON.stringify(tools)])
}

function sizeOfTexts(texts: readonly string[]): PromptSize {
  return {
    characters: texts.reduce((sum, text) => sum + text.length, 0),
    bytes: texts.reduce((sum, text) => sum + byteLength(text), 0),
  }
}

/** No service cuts at less, and no token is less than a byte: what is smaller was not cut. */
export const smallestCut = 2_048
const usualCharacters = 4
const mostCharacters = 8
/** Some services count a little differently than we do; that is no cut. */
const tolerance = 0.75
/** Ollama keeps half of its context, and a few tokens of the beginning. */
const keptBeside = 16

interface Counted {
  readonly size: PromptSize
  /** The prompt's tokens as the service reports them. */
  readonly reported: number
  readonly context: number | undefined
  /** The characters of a token this model was seen to have. */
  readonly characters: number | undefined
}

/** Whether a service can only have counted a part of the prompt. */
export function isCut({ size, reported, context, characters }: Counted): boolean {
  if (reported <= 0 || size.bytes <= (context ?? smallestCut)) return false
  if (context === undefined)
    return reported * (characters === undefined ? mostCharacters : characters * 2) < size.characters
  const beside = reported - Math.floor(context / 2)
  if (beside >= 0 && beside <= keptBeside) return true
  const expected = size.characters / (characters ?? usualCharacters)
  return expected > context && reported < expected * tolerance
}

/** Whether a prompt cannot fit, whatever its tokens are. */
export function cannotFit({ characters }: PromptSize, context: number | undefined): boolean {
  return context !== undefined && characters > context * mostCharacters
}

const fewestTokens = 24

/** Whether more was generated than was passed on: a token is a byte at least, and marks around calls are a few dozen. */
export function isSwallowed(
  { completionTokens, reasoningTokens = 0 }: Usage,
  receivedBytes: number,
  calls: number,
): boolean {
  const visible = completionTokens - reasoningTokens - calls * fewestTokens
  return visible >= fewestTokens && receivedBytes * 2 < visible
}

/** The most characters a token of each model was seen to have. */
export type Ratios = Memory<number>

export const mostModels = 500

interface Watch {
  readonly model: string
  readonly size: PromptSize
  readonly ratios: Ratios
  /** The context in force, as far as it is known by the end. */
  readonly context: () => ContextWindow | undefined
  /** The service has begun to speak: its model is loaded. */
  readonly onBegun?: () => void
  /** A cut was already told of. */
  readonly isNoted: boolean
  readonly cutsPrompts: boolean
  readonly passesAll: boolean
}

/** Shorter prompts are nearly all template. */
const leastCompared = 1_000

/** The same reader, which compares what the service counted with what went in and came out, and notes what does not add up. */
export function withFigures<Reader extends BodyReader>(reader: Reader, watch: Watch): BodyReader {
  const { model, size, ratios } = watch
  let receivedBytes = 0
  const calls = new Set<number | undefined>()
  let hasBegun = false

  function count(events: readonly UpstreamEvent[]): void {
    for (const event of events) {
      if ('text' in event) receivedBytes += byteLength(event.text)
      if (event.type !== 'call') continue
      calls.add(event.index)
      receivedBytes += byteLength(event.json ?? '') + (event.name?.length ?? 0)
    }
  }

  function notesOn(usage: Usage): UpstreamEvent[] {
    const notes: UpstreamEvent[] = []
    const { promptTokens: reported } = usage
    const { tokens: context, remedy = '' } = watch.context() ?? {}
    const known = ratios.get(model)
    if (watch.cutsPrompts && !watch.isNoted && isCut({ size, reported, context, characters: known })) {
      notes.push({ type: 'note', kind: 'prompt_truncated', detail: cutWords(reported, size, context, known, remedy) })
    } else if (reported > 0 && size.characters >= leastCompared && size.bytes <= (context ?? smallestCut)) {
      ratios.set(model, Math.max(known ?? 0, size.characters / reported))
    }
    if (watch.passesAll && isSwallowed(usage, receivedBytes, calls.size)) {
      notes.push({
        type: 'note',
        kind: 'text_swallowed',
        detail: `${usage.completionTokens} tokens, ${receivedBytes} bytes`,
      })
    }
    return notes
  }

  const watched: Writable<BodyReader> = {
    done: false,
    finished: false,
    push(bytes, into) {
      const before = into.length
      const said = reader.push(bytes, into)
      watched.done = reader.done
      watched.finished = reader.finished === true
      count(before === 0 ? into : into.slice(before))
      if (!hasBegun) watch.onBegun?.()
      hasBegun = true
      return said
    },
    end(into) {
      const before = into.length
      reader.end(into)
      watched.done = reader.done
      const last = into.splice(before)
      count(last)
      for (const event of last) {
        if (event.type === 'usage') into.push(...notesOn(event))
        into.push(event)
      }
    },
  }
  return watched
}

function cutWords(
  reported: number,
  size: PromptSize,
  context: number | undefined,
  ratio: number | undefined,
  remedy: string,
) {
  const about = Math.round(size.characters / (ratio ?? usualCharacters))
  const within = context === undefined ? '' : ` (context ${context})`
  return `${reported} of about ${Math.max(about, reported)} tokens were read${within}. ${remedy}`.trim()
}
