import { sha256Url } from '../bytes.ts'
import type { Note } from '../protocol/event.ts'
import { createMemory } from '../protocol/memory/memory.ts'
import type { Constraint, Upstream } from '../upstreams/upstream.ts'
import type { Approach } from './plan.ts'
import type { Force } from './prompt/force/force.ts'
import { createTerms } from './services/terms.ts'

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

/** Which constraints a service would not hold its answer to. All of it is forgotten in time. */
export interface Refusals {
  has(scope: string, constraint: Constraint): boolean
  /** An answer came without this constraint, after it had been refused. */
  learn(scope: string, constraint: Constraint): void
  /** It took this one: whatever it refused of its kind was about what that said. */
  forgive(scope: string, constraint: Constraint): void
}

const refusedForMs = 3_600_000
/** So many different ones of a kind refused, and none taken: it is the kind. */
const enough = 3
const maxDoubts = 500

export function createRefusals(now: () => number): Refusals {
  const single = createTerms<true>(now)
  const kinds = createTerms<true>(now)
  const doubts = createMemory<ReadonlySet<string>>({ entries: maxDoubts })

  return {
    has: (scope, constraint) =>
      kinds.known(kindKey(scope, constraint)) === true || single.known(keyOf(scope, constraint)) === true,
    learn(scope, constraint) {
      const key = keyOf(scope, constraint)
      const kind = kindKey(scope, constraint)
      single.learn(key, true, refusedForMs)
      const doubted = new Set([...(doubts.get(kind) ?? []), key])
      doubts.set(kind, doubted.size < enough ? doubted : new Set())
      if (doubted.size >= enough) kinds.learn(kind, true, refusedForMs)
    },
    forgive: (scope, constraint) => doubts.set(kindKey(scope, constraint), new Set()),
  }
}

/** What a service takes is the same for all who ask it with its own key; clients with keys of their own are told apart. */
export function refusalScope({ name, isPersonal }: Upstream, model: string, client = ''): string {
  return JSON.stringify([name, model, isPersonal === true ? client : ''])
}

function kindKey(scope: string, { kind }: Constraint): string {
  return `${kind} ${scope}`
}

function keyOf(scope: string, constraint: Constraint): string {
  const content = sha256Url(JSON.stringify(constraint))
  return `${content} ${kindKey(scope, constraint)}`
}
