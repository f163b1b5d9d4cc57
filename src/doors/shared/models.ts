import type { ModelCard } from '../../turn/turn.ts'
import type { DoorContext } from '../door.ts'

/** The models there are, and the one that is asked for under another of its names. Throws where there is none such. */
export async function cardsFor({ rest, models, model }: DoorContext): Promise<readonly ModelCard[]> {
  const cards = await models()
  if (cards.some(({ id }) => id === rest)) return cards
  return [...cards, { ...(await model(rest)), id: rest }]
}
