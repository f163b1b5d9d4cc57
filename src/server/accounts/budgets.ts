import { type Budget, costOf, type Price } from '../../config/budgets.ts'
import type { KeySettings } from '../../config/keys.ts'
import { GatewayError } from '../../errors.ts'
import type { Allowance } from '../../traces/api.ts'
import type { AccountStore, Spending } from './store.ts'

/** Limits what keys and their teams use up in a day and a month. */
export interface Budgets {
  /**
   * What is left to a key, by its limits: the least where its team has the same one. Throws where nothing is. What is under
   * way is not counted yet, so that answers at the same time may go over it together.
   */
  left(key: KeySettings): Promise<Readonly<Record<string, number>>>
  /** Its limits and those of its team, with what is left of each. */
  allowances(key: KeySettings): Promise<readonly Allowance[]>
  /** Counts what an answer took. */
  spend(key: KeySettings, model: string, promptTokens: number, completionTokens: number): void
  /** What a key has used up today and in this month. */
  used(key: KeySettings): Promise<{ readonly day: Spending; readonly month: Spending }>
  readonly priceOf: (model: string) => Price | undefined
}

interface BudgetsOptions {
  readonly store: AccountStore
  readonly teams: ReadonlyMap<string, Budget>
  readonly prices: ReadonlyMap<string, Price>
  readonly now: () => number
  /** Nothing can be counted, and requests are let in all the same; or it can again. */
  readonly onChange?: (state: 'down' | 'back', error?: unknown) => void
}

const measures = [
  ['tokens_per_day', 'tokensPerDay', 'day', 'tokens'],
  ['tokens_per_month', 'tokensPerMonth', 'month', 'tokens'],
  ['cost_per_day', 'costPerDay', 'day', 'cost'],
  ['cost_per_month', 'costPerMonth', 'month', 'cost'],
] as const

type Period = 'day' | 'month'

const hasBudget = (budget: Budget | undefined): budget is Budget =>
  budget !== undefined && measures.some(([, field]) => budget[field] !== undefined)

const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10)

const periodOf = (period: Period, now: number): string => dayOf(now).slice(0, period === 'day' ? 10 : 7)

/** When the present day or month of UTC is over. */
function endOf(period: Period, now: number): number {
  const date = new Date(now)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return period === 'day' ? Date.UTC(year, month, date.getUTCDate() + 1) : Date.UTC(year, month + 1)
}

export function createBudgets({ store, teams, prices, now, onChange }: BudgetsOptions): Budgets {
  let isDown = false

  function tell(isDownNow: boolean, error?: unknown): void {
    if (isDownNow !== isDown) onChange?.(isDownNow ? 'down' : 'back', error)
    isDown = isDownNow
  }

  const ownersOf = ({ name, team }: KeySettings): readonly string[] => [
    `key:${name}`,
    ...(team === undefined ? [] : [`team:${team}`]),
  ]

  async function spentBy(owner: string): Promise<Readonly<Record<Period, Spending>>> {
    const periods = (['day', 'month'] as const).map((period) => `${owner}:${periodOf(period, now())}`)
    const [day, month] = await store.spent(periods)
    if (day === undefined || month === undefined) throw new Error('counts are missing')
    return { day, month }
  }

  async function allowances(key: KeySettings): Promise<readonly Allowance[]> {
    const owners = [
      ['key', key.name, key],
      ['team', key.team, key.team === undefined ? undefined : teams.get(key.team)],
    ] as const
    const all: Allowance[] = []
    for (const [of, name, budget] of owners) {
      if (!hasBudget(budget)) continue
      const spent = await spentBy(`${of}:${name}`)
      for (const [limit, field, period, what] of measures) {
        const amount = budget[field]
        if (amount === undefined) continue
        const left = Math.max(0, amount - spent[period][what])
        all.push({ limit, of, amount, left, period, what, renewsAt: endOf(period, now()) })
      }
    }
    return all
  }

  function usedUp({ of, amount, what, period, renewsAt }: Allowance, { team }: KeySettings): GatewayError {
    const who = of === 'key' ? 'Your API key' : `Your team '${team}'`
    const used = what === 'tokens' ? `its ${amount} tokens` : `its budget of ${amount}`
    const message = `${who} has used up ${used} for this ${period}. There is more from ${new Date(renewsAt).toISOString()} on.`
    return new GatewayError('insufficient_quota', message, {
      retryAfterSeconds: Math.ceil((renewsAt - now()) / 1000),
    })
  }

  async function left(key: KeySettings): Promise<Record<string, number>> {
    const least: Record<string, number> = {}
    for (const one of await allowances(key)) {
      if (one.left <= 0) throw usedUp(one, key)
      least[one.limit] = Math.min(one.left, least[one.limit] ?? one.left)
    }
    return least
  }

  return {
    async left(key) {
      try {
        const all = await left(key)
        tell(false)
        return all
      } catch (error) {
        if (error instanceof GatewayError) throw error
        tell(true, error)
        return {}
      }
    },
    spend(key, model, promptTokens, completionTokens) {
      const price = prices.get(model)
      const names = ownersOf(key).flatMap((owner) => [
        `${owner}:${periodOf('day', now())}`,
        `${owner}:${periodOf('month', now())}`,
      ])
      const spending = {
        tokens: promptTokens + completionTokens,
        cost: price === undefined ? 0 : costOf(price, promptTokens, completionTokens),
      }
      store.spend(names, spending).catch((error: unknown) => tell(true, error))
    },
    allowances,
    used: (key) => spentBy(`key:${key.name}`),
    priceOf: (model) => prices.get(model),
  }
}
