import { toServiceCard } from '../turn/services/services.ts'
import type { Upstream, UpstreamModel } from '../upstreams/upstream.ts'
import { advise } from './advise.ts'
import { askPlainly, type Reach } from './ask.ts'
import { examineContext } from './context.ts'
import type { Examination, Finding } from './finding.ts'
import { examineGrammar } from './grammar.ts'
import { examineNative } from './native.ts'
import { type Progress, type Served, sayFailure } from './part.ts'
import { examinePrompt } from './prompt.ts'
import { hello } from './tasks.ts'
import { examineTemplate } from './template.ts'

export interface Subject {
  readonly upstream: Upstream
  /** Where it is, of a service that speaks OpenAI's API. */
  readonly reach?: Reach | undefined
  /** The model to try it with; absent: the first it lists that can talk. */
  readonly model?: string | undefined
  readonly settings?: Served
}

/** Models that answer with no words. */
const speechless = /embed|rerank|bge-|whisper|tts|clip|moderation|dall-e|stable-diffusion/i

/** Examines one service with one of its models: every claim is tried. Never rejects because the service is ill. */
export async function examine(
  { upstream, reach, model: wanted, settings = {} }: Subject,
  progress: Progress,
  signal: AbortSignal,
): Promise<Examination> {
  progress('list of models')
  const { models, trouble } = await listOf(upstream, signal)
  const ids = models.map(({ id }) => id)
  const model = wanted ?? ids.find((id) => !speechless.test(id)) ?? ids[0]
  // The product is known only after a question.
  if (trouble === undefined && model !== undefined) await upstream.probe(model, signal).catch(() => undefined)
  const card = toServiceCard(
    upstream,
    { upstream: upstream.name, models, ...(trouble !== undefined && { trouble }) },
    model === undefined ? [] : [{ id: model, ownedBy: upstream.name, tools: 'auto' }],
  )
  const { name: service, address, product, state, reason = '', remedy } = card
  const about = {
    service,
    ...(address !== undefined && { address }),
    ...(product !== undefined && { product }),
    models: ids,
  }
  const isDown = state === 'down' || model === undefined
  const reachable: Finding = isDown
    ? {
        check: 'reachable',
        verdict: 'bad',
        says: reason || 'It lists no models.',
        fix: remedy ?? 'Load a model there.',
      }
    : { check: 'reachable', verdict: 'good', says: reachedWords(ids, model) }
  if (isDown) return { ...about, findings: [reachable] }

  progress('a plain answer')
  const spoken = await askPlainly(upstream, model, { messages: hello }, signal)
  const answers = judgeAnswer(spoken)
  if ('failure' in spoken) return { ...about, model, findings: [reachable, answers] }
  const { events } = spoken.said
  const part = { upstream, model, reach, settings, progress, signal }
  const template = await examineTemplate(part)
  const native = await examineNative(part)
  const prompt = await examinePrompt(part, native.works)
  const context = await examineContext(part)
  const grammar = await examineGrammar(part)
  const usage = judgeUsage(events.some((event) => event.type === 'usage'))
  return {
    ...about,
    model,
    findings: [
      reachable,
      answers,
      ...context,
      usage,
      ...template.findings,
      ...native.findings,
      ...prompt.findings,
      ...grammar,
    ],
    ...advise(template, native, prompt),
  }
}

async function listOf(
  upstream: Upstream,
  signal: AbortSignal,
): Promise<{ readonly models: readonly UpstreamModel[]; readonly trouble?: unknown }> {
  try {
    return { models: await upstream.models(AbortSignal.any([signal, AbortSignal.timeout(10_000)])) }
  } catch (trouble) {
    return { models: [], trouble }
  }
}

function reachedWords(ids: readonly string[], model: string): string {
  const count = ids.length === 1 ? '1 model' : `${ids.length} models`
  return ids.length === 1 ? `It has 1 model, ${model}.` : `It has ${count}. Tested with ${model}.`
}

function judgeAnswer(spoken: Awaited<ReturnType<typeof askPlainly>>): Finding {
  if ('failure' in spoken) {
    const fix = 'Try the model in its own program first, and read the log of the model server.'
    return { check: 'answers', verdict: 'bad', says: `It doesn't answer: ${sayFailure(spoken.failure)}`, fix }
  }
  const { text, firstMs, ms, events } = spoken.said
  const isSilent = text.trim() === '' && !events.some(({ type }) => type === 'reasoning')
  if (isSilent) {
    const fix = 'Check the chat template of the model, and that the model is one for chats.'
    return { check: 'answers', verdict: 'bad', says: 'It answers with no words at all.', fix }
  }
  return { check: 'answers', verdict: 'good', says: `First words after ${seconds(firstMs)}, all after ${seconds(ms)}.` }
}

function judgeUsage(told: boolean): Finding {
  if (told) return { check: 'usage', verdict: 'good', says: 'It counts tokens.' }
  return {
    check: 'usage',
    verdict: 'warning',
    says: "It doesn't count tokens, so Dragoman estimates them.",
    fix: 'Update the model server. Agents show how full the context is by these figures.',
  }
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}
