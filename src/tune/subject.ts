import { GatewayError } from '../errors.ts'
import { didYouMean } from '../protocol/text/nearest.ts'
import { createCapabilityCache } from '../turn/services/capabilities.ts'
import { defaultSettings, type ModelSettings, type UnnamedSettings } from '../turn/settings.ts'
import type { ModelCard } from '../turn/turn.ts'
import { createTurns } from '../turn/turns.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import type { ServerWays } from './ways.ts'

/** The model to be measured, and how it is served. */
export interface Subject extends ServerWays {
  readonly settings: ModelSettings
  readonly upstreams: ReadonlyMap<string, Upstream>
  /** Where it is, for people. */
  readonly place: string
}

interface Served {
  readonly upstreams: ReadonlyMap<string, Upstream>
  readonly models: readonly ModelSettings[]
  readonly unnamed: UnnamedSettings
}

/** Finds a model by its name; the first there is where none is named. Throws a GatewayError in words for people. */
export async function findSubject(
  { upstreams, models, unnamed }: Served,
  name: string | undefined,
  signal: AbortSignal,
): Promise<Subject> {
  const turns = createTurns({ upstreams, models, unnamed, newId: () => 'call_1' })
  const cards = await turns.models(signal)
  const card =
    name === undefined
      ? cards.find(({ unavailable }) => unavailable !== true)
      : await find(name, cards, () => turns.model(name, signal))
  if (card === undefined)
    throw new GatewayError('model_not_found', 'No model server has a model. Load one there first.')
  if (card.unavailable === true) {
    throw new GatewayError('upstream_unreachable', `The server of ${card.id} doesn't answer. Start it first.`)
  }
  const settings = models.find((one) => one.name === card.id) ?? {
    ...defaultSettings(card.id, [card.ownedBy]),
    ...unnamed,
  }
  const serving = settings.upstreams.flatMap((one) => upstreams.get(one) ?? [])
  const [first] = serving
  return {
    // What is measured is the model's own work.
    settings: { ...settings, repair: 0 },
    upstreams,
    takesNative: serving.some(({ toolsInWords }) => toolsInWords !== true),
    takesTemplate: first !== undefined && (await listsTools(first, settings.model, signal)),
    place: first?.about?.().address ?? settings.upstreams[0] ?? '',
  }
}

/** Whether its server's chat template can be made to tell the tools, and does. */
async function listsTools(upstream: Upstream, model: string, signal: AbortSignal): Promise<boolean> {
  return await createCapabilityCache(() => 0).listsTools(upstream, model, { signal })
}

async function find(name: string, cards: readonly ModelCard[], ask: () => Promise<ModelCard>): Promise<ModelCard> {
  const card = cards.find(({ id }) => id === name)
  if (card !== undefined) return card
  const ids = cards.map(({ id }) => id)
  try {
    return await ask()
  } catch {
    const remedy = didYouMean(name, ids, `There are: ${ids.slice(0, 8).join(', ')}.`)
    throw new GatewayError('model_not_found', `No server has a model "${name}". ${remedy}`)
  }
}
