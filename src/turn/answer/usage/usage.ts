import type { Event, Usage } from '../../../protocol/event.ts'
import type { Memory } from '../../../protocol/memory/memory.ts'
import { callsOf, textOf } from '../../../protocol/message.ts'
import type { Upstream, UpstreamRequest } from '../../../upstreams/upstream.ts'
import type { Prepared } from '../../prompt/prepare.ts'
import { countedLength, countText, type KnownCount } from './tokens.ts'

const charactersPerToken = 4
/** What a template puts around each message, in tokens. */
const framing = 4
/** About what services count for a picture of the usual size. */
const perImage = 1_000

/** An estimate where no usage is reported. Never zero: agents work out how full their context is from it. */
export function estimateUsage(request: UpstreamRequest, completionCharacters: number): Usage {
  return {
    promptTokens: toTokens(promptLength(request)),
    completionTokens: toTokens(completionCharacters),
    estimated: true,
  }
}

function promptTexts(request: UpstreamRequest): readonly string[] {
  const tools = request.tools.length === 0 ? [] : [JSON.stringify(request.tools)]
  const messages = request.messages.flatMap((message) => [
    textOf(message.content),
    ...callsOf(message).flatMap((call) => [call.name, call.arguments]),
  ])
  return [...tools, ...messages]
}

function promptLength(request: UpstreamRequest): number {
  return promptTexts(request).reduce((sum, text) => sum + text.length, 0)
}

function toTokens(characters: number): number {
  return Math.max(1, Math.ceil(characters / charactersPerToken))
}

interface Counted {
  readonly upstream: Upstream
  readonly prepared: Prepared
  /** Everything the model produced, once its answer is over. */
  readonly answer: { readonly produced: string }
  readonly signal: AbortSignal
  /** False: the client does not get it, so a rough guess is good enough. */
  readonly isReported?: boolean | undefined
  readonly counts?: Memory<KnownCount>
}

/**
 * The last events of an answer with the best figures there are: the service's own, else its tokenizer's, else an estimate.
 * Where tools were taught, a note tells how much of the prompt they took.
 */
export function withUsage(events: readonly Event[], counted: Counted): readonly Event[] | Promise<readonly Event[]> {
  const usage = events.find((event) => event.type === 'usage')
  if (usage === undefined) return events
  const isCounted = usage.estimated === true && counted.isReported !== false
  if (!isCounted) return withFigures(events, usage, usage, counted.prepared)
  return countUsage(counted).then((figures) =>
    withFigures(events, usage, { ...figures, type: 'usage' }, counted.prepared),
  )
}

type UsageEvent = Extract<Event, { type: 'usage' }>

function withFigures(
  events: readonly Event[],
  usage: UsageEvent,
  figures: UsageEvent,
  prepared: Prepared,
): readonly Event[] {
  const note = splitNote(figures, prepared)
  if (note === undefined && figures === usage) return events
  const told: Event[] = []
  for (const event of events) {
    if (event !== usage) told.push(event)
    else if (note === undefined) told.push(figures)
    else told.push(note, figures)
  }
  return told
}

async function countUsage({ upstream, prepared, answer, signal, counts }: Counted): Promise<Usage> {
  return {
    promptTokens: await countPromptTokens(upstream, prepared.request, signal, counts),
    completionTokens: Math.max(1, countText(answer.produced)),
    estimated: true,
  }
}

/** The tokens of a prompt by the service's own tokenizer, else estimated. */
export async function countPromptTokens(
  upstream: Upstream,
  request: UpstreamRequest,
  signal: AbortSignal,
  counts?: Memory<KnownCount>,
): Promise<number> {
  const counted = await upstream.countTokens?.(request, signal).catch(() => undefined)
  return Math.max(1, counted ?? countPrompt(request, counts))
}

/** So many characters of a prompt are looked at; each of its texts gets its share of them. */
const promptBudget = 1_000_000
const leastShare = 1_000

/** A good guess at the tokens of a prompt. `counts`: those of texts that come again with every turn (`bench/doors.ts`). */
export function countPrompt(request: UpstreamRequest, counts?: Memory<KnownCount>): number {
  const texts = promptTexts(request)
  const share = Math.max(leastShare, powerBelow(promptBudget / Math.max(1, texts.length)))
  const around = request.messages.length * framing + imagesIn(request) * perImage
  return texts.reduce((sum, text) => sum + countKnown(text, share, counts), around)
}

function imagesIn({ messages }: Pick<UpstreamRequest, 'messages'>): number {
  return messages.reduce((sum, { content }) => {
    return typeof content === 'string' ? sum : sum + content.filter(({ type }) => type === 'image').length
  }, 0)
}

/** To remember less than this costs more than to count it. */
const shortText = 32

function countKnown(text: string, share: number, counts: Memory<KnownCount> | undefined): number {
  if (text.length < shortText) return countText(text)
  const looked = Math.min(share, text.length, countedLength)
  const known = counts?.get(text)
  if (known?.share === looked) return known.tokens
  const tokens = countText(text, looked)
  counts?.set(text, { share: looked, tokens })
  return tokens
}

/** A share in powers of two: as a conversation grows, what was counted stays good. */
function powerBelow(most: number): number {
  return 2 ** Math.floor(Math.log2(most))
}

/** Tokens of the client's own prompt and of the taught tools, in proportion to their characters. */
function splitNote({ promptTokens }: Usage, { request, taught }: Prepared): Event | undefined {
  if (taught === '') return undefined
  const characters = promptLength(request)
  const tools = Math.round((promptTokens * taught.length) / Math.max(characters, taught.length))
  return { type: 'note', kind: 'usage_split', detail: `client ${promptTokens - tools}, tools ${tools}` }
}
