import type { ModelCard } from '../../turn/turn.ts'
import type { DoorContext } from '../door.ts'

/** The models there are, the one that is asked for with what its service says of it now. Throws where there is none such. */
export async function cardsFor({ rest, models, model }: DoorContext): Promise<readonly ModelCard[]> {
  const cards = await models()
  const listed = cards.find(({ id }) => id === rest)
  if (listed === undefined) return [...cards, { ...(await model(rest)), id: rest }]
  const asked = await model(rest).catch(() => ({}))
  return cards.map((card) => (card === listed ? { ...listed, ...asked, id: rest } : card))
}
