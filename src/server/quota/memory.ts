import {
  type Admission,
  type Allowance,
  findBroken,
  type Quotas,
  type Slots,
  secondsKept,
  standingOf,
  type Tally,
  tokensAsked,
  waitFor,
} from './quota.ts'

interface Account {
  readonly requests: Map<number, number>
  readonly tokens: Map<number, number>
  active: number
}

/** Counts in this process alone. */
export function createMemoryQuotas(now: () => number): Quotas {
  const accounts = new Map<string, Account>()

  function accountOf(key: string): Account {
    const known = accounts.get(key) ?? { requests: new Map(), tokens: new Map(), active: 0 }
    accounts.set(key, known)
    return known
  }

  return {
    async admit(key, allowance: Allowance, tokens): Promise<Admission> {
      const account = accountOf(key)
      const nowMs = now()
      const second = Math.floor(nowMs / 1000)
      const asked = tokensAsked(tokens, allowance)
      const tally = (): Tally => ({
        nowMs,
        requests: slotsOf(account.requests, second),
        tokens: slotsOf(account.tokens, second),
        active: account.active,
      })
      const before = tally()
      const measure = findBroken(before, allowance, asked)
      if (measure !== undefined) {
        const waitMs = waitFor(measure, before, allowance, asked)
        return { measure, waitMs, standing: standingOf(before, allowance) }
      }
      add(account.requests, second, 1)
      add(account.tokens, second, asked)
      account.active += 1
      let isOver = false
      return {
        standing: standingOf(tally(), allowance),
        lease: {
          release(taken) {
            if (isOver) return
            isOver = true
            account.active -= 1
            // A second that counts no more was forgotten together with what was counted in it.
            if (taken !== undefined && account.tokens.has(second)) add(account.tokens, second, taken - asked)
          },
        },
      }
    },
    close: async () => undefined,
  }
}

function add(slots: Map<number, number>, second: number, count: number): void {
  slots.set(second, (slots.get(second) ?? 0) + count)
}

function slotsOf(slots: Map<number, number>, now: number): Slots {
  for (const second of slots.keys()) {
    if (second + secondsKept <= now) slots.delete(second)
  }
  return [...slots].sort(([first], [second]) => first - second)
}
