import type { Quotas } from '../../server/quota/quota.ts'
import type { Gate } from '../../upstreams/gate.ts'
import type { KeepSettings, KeepStore } from '../../upstreams/keep.ts'
import type { Crew } from '../compose/service.ts'
import type { Briefing, GateName, SupervisorDuties } from './duties.ts'
import type { Line } from './line.ts'

export function createCrew(
  line: Line<SupervisorDuties>,
  { address, traces }: Pick<Briefing, 'address' | 'traces'>,
): Crew {
  const passes = { count: 0 }
  return {
    address,
    quotas: createSharedQuotas(line),
    gate: (name, concurrency, queue, _now, waitMs) =>
      createSharedGate(line, [name, concurrency, queue, waitMs], passes),
    memory: (namespace, limits) => createSharedStore(line, namespace, limits),
    print: (own) => line.ask('printFigures', own),
    traces,
  }
}

function createSharedQuotas(line: Line<SupervisorDuties>): Quotas {
  return {
    async admit(key, { requestsPerMinute, tokensPerMinute, parallel }, tokens) {
      const granted = await line.ask('admit', key, { requestsPerMinute, tokensPerMinute, parallel }, tokens)
      if (granted.lease === undefined) return granted
      const { lease, standing } = granted
      return { standing, lease: { release: (taken) => void line.ask('release', lease, taken) } }
    },
    close: async () => undefined,
  }
}

/** One of several ways into the same gate. */
function createSharedGate(line: Line<SupervisorDuties>, gate: GateName, passes: { count: number }): Gate {
  /** Those that are in; which of them leaves makes no difference. */
  const inside: number[] = []
  let waiting = 0
  return {
    enter(signal) {
      if (signal.aborted) return Promise.reject(signal.reason)
      passes.count += 1
      const pass = passes.count
      waiting += 1
      return new Promise((resolve, reject) => {
        const gone = (): void => {
          void line.ask('giveUp', pass)
          reject(signal.reason)
        }
        signal.addEventListener('abort', gone, { once: true })
        line
          .ask('enter', gate, pass)
          .then(
            (before) => {
              // It was let in just when it had given up.
              if (signal.aborted) return void line.ask('leave', pass)
              inside.push(pass)
              resolve(before)
            },
            (error: unknown) => reject(error),
          )
          .finally(() => {
            waiting -= 1
            signal.removeEventListener('abort', gone)
          })
      })
    },
    leave() {
      const pass = inside.shift()
      if (pass !== undefined) void line.ask('leave', pass)
    },
    get load() {
      return { active: inside.length, waiting }
    },
  }
}

function createSharedStore(
  line: Line<SupervisorDuties>,
  namespace: string,
  limits: Parameters<NonNullable<KeepSettings['memory']>>[1],
): KeepStore {
  return {
    get: (key) => line.ask('recall', namespace, key),
    async set(key, value, ttlMs) {
      await line.ask('remember', namespace, limits, key, value, ttlMs)
      return true
    },
    delete: (key) => line.ask('forget', namespace, key),
    clear: async () => undefined,
    disconnect: async () => undefined,
  }
}
