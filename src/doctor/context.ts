import { askPlainly } from './ask.ts'
import type { Finding } from './finding.ts'
import type { Part } from './part.ts'
import { longPrompt } from './tasks.ts'

/** What agents fill before they have done anything: their instructions, their tools, one file. */
const enough = 32_768
/** Longer than what Ollama gives a model by itself, and short enough for a slow machine. */
const probeTokens = 6_000

/** How much of a conversation the model gets, and whether what is too long is cut off without a word: that is tried. */
export async function examineContext({ upstream, model, progress, signal }: Part): Promise<readonly Finding[]> {
  const { context = {} } = await upstream.probe(model, signal).catch(() => ({ context: {} as Context }))
  const listed = (await upstream.models(signal).catch(() => [])).find(({ id }) => id === model)?.contextLength
  const remedy = context.remedy ?? 'Raise the context length in the settings of the model server.'
  if (context.cuts === true) {
    progress('a long prompt')
    const long = await askPlainly(upstream, model, { messages: longPrompt(probeTokens), maxTokens: 16 }, signal)
    const told = 'said' in long ? long.said.events.find((event) => event.type === 'usage')?.promptTokens : undefined
    const noted =
      'said' in long && long.said.events.some((event) => event.type === 'note' && event.kind === 'prompt_truncated')
    if (noted || (told !== undefined && told < probeTokens * 0.6)) {
      const read = told === undefined ? '' : ` It read ${figure(told)} tokens of about ${figure(probeTokens)}.`
      return [
        {
          check: 'context',
          verdict: 'bad',
          says: `It cuts long prompts off without an error, so agents lose their tools and instructions.${read}`,
          fix: `${remedy} 32768 or more is good for agents.`,
        },
      ]
    }
  }
  const tokens = context.tokens ?? listed ?? (context.cuts === true ? undefined : context.most)
  if (tokens === undefined)
    return [{ check: 'context', verdict: 'good', says: "It doesn't tell how large its context is." }]
  const of = context.most !== undefined && context.most > tokens ? ` of ${figure(context.most)}` : ''
  const says = `It has ${figure(tokens)}${of} tokens of context.`
  if (tokens >= enough) return [{ check: 'context', verdict: 'good', says }]
  return [{ check: 'context', verdict: 'warning', says: `${says} That is little for an agent.`, fix: remedy }]
}

type Context = { tokens?: number; most?: number; cuts?: boolean; remedy?: string }

function figure(tokens: number): string {
  return tokens.toLocaleString('en-US')
}
