import { sha256Url } from '../../bytes.ts'
import { createMemory } from '../../protocol/memory/memory.ts'
import type { Constraint, Upstream } from '../../upstreams/upstream.ts'
import { createTerms } from './terms.ts'

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
