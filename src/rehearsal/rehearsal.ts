import { systemClock } from '../clock.ts'
import { textOf } from '../protocol/message.ts'
import type { Upstream, UpstreamEvent } from '../upstreams/upstream.ts'
import { type Answer, type AnswerSettings, answer } from './answer.ts'

const charactersPerToken = 4
const toTokens = (characters: number): number => Math.ceil(characters / charactersPerToken)

/** What these do: see the fields in kind.ts. */
export interface RehearsalSettings extends AnswerSettings {
  readonly thinking?: boolean
  readonly script?: readonly string[]
  readonly usage?: boolean
  readonly pieceSize?: number
  readonly cut?: { readonly seed: number }
  readonly tokensPerSecond?: number
}

/**
 * A stand-in for a model, for demonstrations and tests: it understands no language, it matches words. The same request
 * gets the same answer, and its answers say what it is.
 */
export function createRehearsalUpstream(options: RehearsalSettings & { readonly name: string }): Upstream {
  const { name, script = [], usage = true, tokensPerSecond = 0 } = options
  let played = 0

  return {
    name,
    kind: 'rehearsal',
    about: () => ({ product: 'a scripted stand-in, not a language model', embedded: true }),

    async *chat(request, signal) {
      signal.throwIfAborted()
      const scripted = script[played++ % script.length]
      const said = scripted === undefined ? answer(request, options) : { text: scripted, calls: [] }
      const budget = (request.maxTokens ?? Number.POSITIVE_INFINITY) * charactersPerToken
      const start = performance.now()
      let [spoken, sent, isCut] = [0, 0, false]
      for (const event of toEvents(said, request.stop ?? [], options)) {
        const length = 'text' in event ? event.text.length : event.type === 'call' ? (event.json?.length ?? 0) : 0
        isCut = spoken + length > budget
        if (isCut) break
        spoken += length
        signal.throwIfAborted()
        const early = tokensPerSecond > 0 ? start + (sent * 1000) / tokensPerSecond - performance.now() : 0
        if (early >= 1) await systemClock.wait(early, signal)
        yield [event]
        sent += 1
      }
      const reason = isCut ? 'length' : said.calls.length > 0 ? 'tool_calls' : 'stop'
      const finish: UpstreamEvent = { type: 'finish', reason }
      const read = request.messages.reduce((sum, { content }) => sum + textOf(content).length, 0)
      const [promptTokens, completionTokens] = [toTokens(read), toTokens(spoken)]
      yield usage ? [{ type: 'usage', promptTokens, completionTokens, estimated: true }, finish] : [finish]
    },

    models: async () => [{ id: 'rehearsal' }],
    // It has native tools too, where they are insisted on; left to choose, the gateway shows its own work.
    probe: async () => ({ nativeTools: 'no' }),
    close: async () => undefined,
  }
}

function* toEvents(said: Answer, stops: readonly string[], settings: RehearsalSettings): Generator<UpstreamEvent> {
  const cut = createCutter(settings)
  const ends = stops.filter((stop) => stop !== '').map((stop) => said.text.indexOf(stop))
  const end = Math.min(said.text.length, ...ends.filter((at) => at >= 0))
  for (const text of cut(settings.thinking ? said.reasoning : '')) yield { type: 'reasoning', text }
  for (const text of cut(said.text.slice(0, end))) yield { type: 'text', text }
  for (const [index, call] of said.calls.entries()) {
    yield { type: 'call', index, id: call.id, name: call.name }
    for (const json of cut(call.arguments)) yield { type: 'call', index, json }
  }
}

/** Cuts texts into pieces; characters of two code units stay whole. */
function createCutter({ pieceSize = 4, cut }: RehearsalSettings) {
  let state = cut?.seed ?? 0
  return function* (text = ''): Generator<string> {
    for (let from = 0; from < text.length; ) {
      // A linear congruential generator: any cutting will do, as long as it can be had again.
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      const to = from + (cut ? 1 + ((state >>> 16) % 12) : Math.max(1, Math.floor(pieceSize)))
      const end = /[\ud800-\udbff]/.test(text.charAt(to - 1)) ? to + 1 : to
      yield text.slice(from, end)
      from = end
    }
  }
}
