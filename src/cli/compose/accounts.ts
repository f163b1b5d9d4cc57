import type { Config } from '../../config/load.ts'
import { ConfigError } from '../../config/problems.ts'
import { createRandomId } from '../../random-id.ts'
import { type Budgets, createBudgets } from '../../server/accounts/budgets.ts'
import { createKeyBook, type KeyBook } from '../../server/accounts/key-book.ts'
import { createRedisAccounts } from '../../server/accounts/redis.ts'
import { createSqliteAccounts } from '../../server/accounts/sqlite.ts'
import type { AccountStore } from '../../server/accounts/store.ts'
import type { Log } from '../../server/telemetry/log.ts'

/** What accounts that cannot be reached mean. */
const notCounted = 'Budgets are not counted until it is back. Requests are answered all the same.'

/** Where budgets are counted and keys are kept. Throws a ConfigError where its file cannot be used. */
export function openAccounts({ settings: { sessions, accountsFile } }: Config): AccountStore {
  if (sessions.store !== 'memory') return createRedisAccounts(sessions.store)
  try {
    return createSqliteAccounts(accountsFile)
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    const message = `budgets and keys are kept in ${accountsFile}, which cannot be used (${reason}). Name a Redis`
    throw new ConfigError([{ path: ['sessions', 'store'], message }])
  }
}

export function usesAccounts({ settings: { keys, teams } }: Config): boolean {
  const budgets = [...keys, ...teams.values()]
  const hasBudget = budgets.some(({ tokensPerDay, tokensPerMonth, costPerDay, costPerMonth }) =>
    [tokensPerDay, tokensPerMonth, costPerDay, costPerMonth].some((limit) => limit !== undefined),
  )
  return hasBudget || keys.some(({ isAdmin }) => isAdmin)
}

/** How soon a key that was made or revoked elsewhere is known here. */
const lookEveryMs = 2000

/** Keys that are made while the gateway runs: only where a key of the config file may make them. */
export function bookOver(store: AccountStore, config: Config, isServing = true): KeyBook | undefined {
  const { keys } = config.settings
  if (!keys.some(({ isAdmin }) => isAdmin)) return undefined
  return createKeyBook({
    store,
    createKey: () => createRandomId('sk-dragoman-'),
    now: Date.now,
    isTaken: (name) => keys.some((key) => key.name === name),
    ...(isServing && { lookEveryMs }),
  })
}

export function budgetsOver(store: AccountStore, { settings: { teams, models } }: Config, log: Log): Budgets {
  return createBudgets({
    store,
    teams,
    prices: new Map(models.flatMap(({ name, price }) => (price === undefined ? [] : [[name, price]]))),
    now: Date.now,
    onChange: (state, error) =>
      log.service?.({
        service: 'accounts',
        state,
        ...(error !== undefined && { reason: error instanceof Error ? error.message : String(error) }),
        remedy: notCounted,
      }),
  })
}
