import type { Dialect } from '../../dialects/dialect.ts'
import { dialectForTemplate } from '../../dialects/templates.ts'
import { createMemory, toKey } from '../../protocol/memory/memory.ts'
import type { Abilities, Capabilities, ContextWindow, Upstream } from '../../upstreams/upstream.ts'
import type { TurnContext } from '../turn.ts'
import { growsWithTools } from './template-tools.ts'
import { createTerms } from './terms.ts'

/** What is known of the tools of each upstream's models, by its own word and by experience. All of it is forgotten in time. */
export interface CapabilityCache {
  /** What the upstream says it can do. One that cannot be asked is unknown. */
  capabilities(upstream: Upstream, model: string, signal: AbortSignal, client?: string): Promise<Capabilities>
  /** It has just refused tools: from now on they are taught in words, to this client at least. */
  refuse(upstream: Upstream, model: string, client?: string): void
  /** How much of a conversation it is given, as far as it is known without asking. */
  contextOf(upstream: string, model: string): ContextWindow | undefined
  /** What else it can do, as far as it is known without asking. */
  abilitiesOf(upstream: string, model: string): Abilities
  /** Whether its chat template tells the tools when asked to: tried once, by the size of a prompt with and without one. */
  listsTools(upstream: Upstream, model: string, context: Pick<TurnContext, 'signal' | 'clientKey'>): Promise<boolean>
  /** The dialect its chat template shows, as far as that is known without asking. */
  templateDialect(upstream: string, model: string): Dialect | undefined
  /** How tools reach this model, as far as it is known without asking. */
  toolsOf(upstream: string, model: string): 'native' | 'prompt' | undefined
}

interface Known {
  readonly capabilities: Capabilities
  readonly dialect?: Dialect | undefined
  readonly until: number
}

const refusalForMs = 3_600_000
/** A service that says it has tools and refuses them may only have had a bad start. */
const contradictionForMs = 60_000
const answerForMs = 600_000
const doubtForMs = 30_000
const maxKnown = 2_000

export function createCapabilityCache(now: () => number): CapabilityCache {
  const told = createMemory<Known>({ entries: maxKnown })
  const refused = createMemory<number>({ entries: maxKnown })
  const contradicted = createTerms<true>(now)
  const listing = createMemory<{ readonly lists: boolean; readonly until: number }>({ entries: maxKnown })

  function isRefused(key: string, refusal = key): boolean {
    if (fresh(key)?.nativeTools === 'yes') return contradicted.known(refusal) === true
    return now() < (refused.get(refusal) ?? 0)
  }

  function fresh(key: string): Capabilities | undefined {
    const known = told.get(key)
    return known !== undefined && now() < known.until ? known.capabilities : undefined
  }

  const capabilityCache: CapabilityCache = {
    async capabilities(upstream, model, signal, client) {
      const key = toKey(upstream.name, model)
      let capabilities = fresh(key)
      if (capabilities === undefined) {
        capabilities = { nativeTools: 'unknown' }
        try {
          capabilities = await upstream.probe(model, signal)
        } catch (thrown) {
          if (signal.aborted) throw thrown
        }
        const forMs = capabilities.nativeTools === 'unknown' ? doubtForMs : (capabilities.knownForMs ?? answerForMs)
        const dialect = capabilities.template === undefined ? undefined : dialectForTemplate(capabilities.template)
        told.set(key, { capabilities, dialect, until: now() + forMs })
      }
      return isRefused(key, refusalKey(upstream, model, client)) ? { ...capabilities, nativeTools: 'no' } : capabilities
    },
    refuse(upstream, model, client) {
      const key = toKey(upstream.name, model)
      const refusal = refusalKey(upstream, model, client)
      contradicted.learn(refusal, true, contradictionForMs)
      refused.set(refusal, now() + (told.get(key)?.capabilities.knownForMs ?? refusalForMs))
    },
    contextOf: (upstream, model) => told.get(toKey(upstream, model))?.capabilities.context,
    abilitiesOf(upstream, model) {
      const { vision, thinking } = told.get(toKey(upstream, model))?.capabilities ?? {}
      return { ...(vision !== undefined && { vision }), ...(thinking !== undefined && { thinking }) }
    },
    async listsTools(upstream, model, context) {
      const key = toKey(upstream.name, model)
      const known = listing.get(key)
      if (known !== undefined && now() < known.until) return known.lists
      const { templateTools, knownForMs = answerForMs } = await capabilityCache.capabilities(
        upstream,
        model,
        context.signal,
      )
      const lists = templateTools === true ? await growsWithTools(upstream, model, context) : false
      listing.set(key, { lists: lists === true, until: now() + (lists === undefined ? doubtForMs : knownForMs) })
      return lists === true
    },
    templateDialect: (upstream, model) => told.get(toKey(upstream, model))?.dialect,
    toolsOf(upstream, model) {
      const key = toKey(upstream, model)
      if (isRefused(key)) return 'prompt'
      const { nativeTools } = fresh(key) ?? { nativeTools: 'unknown' }
      return nativeTools === 'yes' ? 'native' : nativeTools === 'no' ? 'prompt' : undefined
    },
  }
  return capabilityCache
}

function refusalKey({ name, isPersonal }: Upstream, model: string, client = ''): string {
  return isPersonal === true ? toKey(name, model, client) : toKey(name, model)
}
