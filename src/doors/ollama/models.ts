import { sha256Hex } from '../../bytes.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { ModelCard } from '../../turn/turn.ts'
import { defined } from '../shared/fields.ts'

/** As Ollama writes it: a model without a tag is the latest. */
function toTagged(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1).includes(':') ? id : `${id}:latest`
}

/** `qwen3-coder` of `Qwen/Qwen3-Coder-30B`: letters, figures and dashes up to the size. */
function familyOf(id: string): string {
  const name = id.slice(id.lastIndexOf('/') + 1).toLowerCase()
  return /^[a-z][\w.]*?(?:-(?!\d+(?:\.\d+)?[bm]\b)[a-z][\w.]*)*(?=$|[:-])/.exec(name)?.[0] ?? 'unknown'
}

function sizeOf(id: string): string {
  return /(?:^|[^a-z0-9.])(\d+(?:\.\d+)?[bm])(?:$|[^a-z0-9])/i.exec(id)?.[1]?.toUpperCase() ?? ''
}

function detailsOf(card: ModelCard): JsonObject {
  const family = familyOf(card.id)
  return defined({
    parent_model: '',
    format: 'gguf',
    family,
    families: [family],
    parameter_size: sizeOf(card.id),
    quantization_level: '',
    context_length: card.contextLength,
  })
}

/** Every model calls tools here. Clients leave out models that do not say so. */
function capabilitiesOf({ vision, thinking }: ModelCard): readonly string[] {
  return ['completion', 'tools', ...(vision === true ? ['vision'] : []), ...(thinking === true ? ['thinking'] : [])]
}

function toListed(card: ModelCard): JsonObject {
  const name = toTagged(card.id)
  return {
    name,
    model: name,
    size: 0,
    digest: sha256Hex(card.id),
    details: detailsOf(card),
  }
}

/** `GET /api/tags` */
export function printTags(cards: readonly ModelCard[], since: number): string {
  const modified_at = new Date(since).toISOString()
  const models = cards.map((card) => ({ ...toListed(card), modified_at, capabilities: capabilitiesOf(card) }))
  return JSON.stringify({ models })
}

/** So far ahead that no client thinks the model is about to be unloaded. */
const staysForMs = 24 * 3_600_000

/** `GET /api/ps`: whatever is served is there. */
export function printLoaded(cards: readonly ModelCard[], now: number): string {
  const expires_at = new Date(now + staysForMs).toISOString()
  const models = cards.map((card) =>
    defined({ ...toListed(card), expires_at, size_vram: 0, context_length: card.contextLength }),
  )
  return JSON.stringify({ models })
}

/** `POST /api/show` */
export function printShown(card: ModelCard, since: number): string {
  const details = detailsOf(card)
  const { family } = details
  return JSON.stringify({
    license: '',
    modelfile: '',
    parameters: '',
    template: '',
    details,
    model_info: {
      'general.architecture': family,
      ...(card.contextLength !== undefined && { [`${family}.context_length`]: card.contextLength }),
    },
    capabilities: capabilitiesOf(card),
    modified_at: new Date(since).toISOString(),
  })
}
