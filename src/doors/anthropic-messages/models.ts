import { GatewayError } from '../../errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { ModelCard } from '../../turn/turn.ts'

function toModel({ id, contextLength }: ModelCard, started: number): JsonObject {
  return {
    type: 'model',
    id,
    display_name: id,
    created_at: new Date(started).toISOString(),
    ...(contextLength !== undefined && { max_input_tokens: contextLength }),
  }
}

/** All there are, on one page. */
export function printModels(cards: readonly ModelCard[], started: number): string {
  return JSON.stringify({
    data: cards.map((card) => toModel(card, started)),
    has_more: false,
    first_id: cards[0]?.id ?? null,
    last_id: cards.at(-1)?.id ?? null,
  })
}

export function printModel(id: string, cards: readonly ModelCard[], started: number): string {
  const card = cards.find((each) => each.id === id)
  if (card === undefined) throw new GatewayError('model_not_found', `The model '${id}' does not exist.`)
  return JSON.stringify(toModel(card, started))
}
