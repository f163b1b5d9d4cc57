import { openRedis } from '../../redis.ts'
import { type AccountStore, type AuditLine, keptDays, type StoredKey } from './store.ts'

const prefix = 'dragoman:accounts'
const keysAt = `${prefix}:keys`
const auditAt = `${prefix}:audit`
const mostAudited = 10_000

/** In the Redis that gateways share. */
export function createRedisAccounts(url: string, onError?: (error: Error) => void): AccountStore {
  const redis = openRedis(url, onError)
  const nameOf = (name: string): string => `${prefix}:spent:${name}`
  return {
    spent: (names) =>
      redis.ask((client) =>
        Promise.all(
          names.map(async (name) => {
            const { tokens = 0, cost = 0 } = await client.hGetAll(nameOf(name))
            return { tokens: Number(tokens), cost: Number(cost) }
          }),
        ),
      ),
    async spend(names, { tokens, cost }) {
      await redis.ask((client) =>
        Promise.all(
          names.flatMap((name) => [
            client.hIncrByFloat(nameOf(name), 'tokens', tokens),
            client.hIncrByFloat(nameOf(name), 'cost', cost),
            client.expire(nameOf(name), keptDays * 86_400),
          ]),
        ),
      )
    },
    keys: () =>
      redis.ask(async (client) => {
        const entries = Object.values(await client.hGetAll(keysAt)).map((entry) => JSON.parse(entry) as StoredKey)
        return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
      }),
    async putKey(name, key, line) {
      await redis.ask(async (client) => {
        if (key === undefined) await client.hDel(keysAt, name)
        else await client.hSet(keysAt, name, JSON.stringify(key))
        await client.lPush(auditAt, JSON.stringify(line))
        await client.lTrim(auditAt, 0, mostAudited - 1)
      })
    },
    audit: (limit) =>
      redis.ask(async (client) => {
        const lines = await client.lRange(auditAt, 0, limit - 1)
        return lines.map((line) => JSON.parse(line) as AuditLine)
      }),
    close: () => redis.close(),
  }
}
