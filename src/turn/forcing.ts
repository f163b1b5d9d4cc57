import type { Note } from '../protocol/event.ts'
import type { Constraint } from '../upstreams/upstream.ts'
import type { Approach } from './plan.ts'
import type { Force } from './prompt/force/force.ts'
import type { Refusals } from './services/refusals.ts'

/** The ladder of means by which one answer is held to calls: where it stands, and what was refused on the way. */
export interface Forcing {
  /** The approach with the surest means that was not refused. */
  settle(approach: Approach): Promise<Approach>
  /** The service would not have the constraint of this approach. */
  refuse(approach: Approach): void
  /** An answer came: what was refused before it is remembered. */
  confirm(approach: Approach): void
}

export function createForcing(refusals: Refusals, scope: () => string): Forcing {
  const refused: Constraint[] = []

  const isOut = (constraint: Constraint) => refused.includes(constraint) || refusals.has(scope(), constraint)

  return {
    async settle(approach) {
      const notes: Note[] = []
      for (const step of approach.forces ?? []) {
        const force: Force = await step()
        const { constraint } = force
        if (constraint === undefined || !isOut(constraint)) {
          return { ...approach, force: { ...force, notes: [...notes, ...(force.notes ?? [])] } }
        }
        notes.push({ type: 'note', kind: 'constraint_refused', detail: constraint.kind })
      }
      return approach
    },
    refuse({ force }) {
      if (force?.constraint !== undefined) refused.push(force.constraint)
    },
    confirm({ force }) {
      for (const constraint of refused) refusals.learn(scope(), constraint)
      if (force?.constraint !== undefined) refusals.forgive(scope(), force.constraint)
    },
  }
}
