import { GatewayError } from '../../errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { ModelCard } from '../../turn/turn.ts'
import { quoted } from '../shared/fields.ts'

function toModel(card: ModelCard, created: number): JsonObject {
  return {
    id: card.id,
    object: 'model',
    created,
    owned_by: card.ownedBy,
    ...(card.contextLength !== undefined && { context_length: card.contextLength }),
    dragoman: {
      tools: card.tools,
      ...(card.dialect !== undefined && { dialect: card.dialect }),
      ...(card.unavailable === true && { available: false }),
      ...(card.assumedContext !== undefined && { assumed_context: card.assumedContext }),
      ...(card.warning !== undefined && { warning: card.warning }),
    },
  }
}

export function printModels(cards: readonly ModelCard[], created: number): string {
  return JSON.stringify({ object: 'list', data: cards.map((card) => toModel(card, created)) })
}

export function printModel(id: string, cards: readonly ModelCard[], created: number): string {
  const card = cards.find((each) => each.id === id)
  if (card === undefined) {
    const remedy = 'GET /v1/models lists the available models.'
    throw new GatewayError(
      'model_not_found',
      `The model ${quoted(id)} does not exist or you do not have access to it. ${remedy}`,
    )
  }
  return JSON.stringify(toModel(card, created))
}
