import { openRedis } from '../../redis.ts'
import { createMemoryQuotas } from './memory.ts'
import {
  type Admission,
  type Allowance,
  type Measure,
  type Quotas,
  type Slots,
  secondsKept,
  standingOf,
  type Tally,
  tokensAsked,
  waitFor,
} from './quota.ts'

interface RedisOptions {
  readonly url: string
  /** Counts while the Redis is away. */
  readonly alone: Quotas
  readonly createId: () => string
  /** The Redis went away, or is back. */
  readonly onChange?: (state: 'down' | 'back', reason?: string) => void
}

const prefix = 'dragoman:quota'

/** A lease that is not renewed is over: its gateway has died. */
const leaseMs = 30_000
const renewEveryMs = 10_000

/**
 * The rules of `window.ts`, where they are kept by one clock and in one step for all gateways. Gives back the limit that
 * would be broken ("" for none) and the tally after it.
 */
const admitScript = `
local time = redis.call('TIME')
local second = tonumber(time[1])
local now = second * 1000 + math.floor(tonumber(time[2]) / 1000)
local perMinute, tokensPerMinute, parallel = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local asked, id, lease, kept = tonumber(ARGV[4]), ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
local function used(key)
  local sum = 0
  local all = redis.call('HGETALL', key)
  for index = 1, #all, 2 do
    if tonumber(all[index]) + kept <= second then redis.call('HDEL', key, all[index])
    else sum = sum + tonumber(all[index + 1]) end
  end
  return sum
end
local requests, tokens = used(KEYS[1]), used(KEYS[2])
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
local active = redis.call('ZCARD', KEYS[3])
local broken = ''
if perMinute > 0 and requests + 1 > perMinute then broken = 'requests'
elseif tokensPerMinute > 0 and (tokens + asked > tokensPerMinute or tokens >= tokensPerMinute) then broken = 'tokens'
elseif parallel > 0 and active >= parallel then broken = 'parallel' end
if broken == '' then
  redis.call('HINCRBY', KEYS[1], second, 1)
  redis.call('EXPIRE', KEYS[1], kept)
  redis.call('HINCRBY', KEYS[2], second, asked)
  redis.call('EXPIRE', KEYS[2], kept)
  redis.call('ZADD', KEYS[3], now + lease, id)
  redis.call('PEXPIRE', KEYS[3], lease * 2)
end
return { broken, tostring(now), redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2]) }
`

const releaseScript = `
redis.call('ZREM', KEYS[2], ARGV[1])
if ARGV[3] ~= '0' and redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1 then
  redis.call('HINCRBY', KEYS[1], ARGV[2], ARGV[3])
end
return 1
`

const renewScript = `
local time = redis.call('TIME')
local until_ = tonumber(time[1]) * 1000 + tonumber(ARGV[1])
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], 'XX', until_, ARGV[index]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1] * 2)
return 1
`

/** Counts for all gateways that share a Redis. While it is away, each counts for itself. */
export function createRedisQuotas({ url, alone, createId, onChange }: RedisOptions): Quotas {
  let isDown = false
  const tell = (down: boolean, reason?: string): void => {
    if (down !== isDown) onChange?.(down ? 'down' : 'back', reason)
    isDown = down
  }
  const redis = openRedis(url, (error) => tell(true, error.message))
  /** The leases held here, by the list they are in. */
  const held = new Map<string, Set<string>>()
  const renewing = setInterval(renew, renewEveryMs).unref()

  async function evaluate(script: string, keys: readonly string[], args: readonly (string | number)[]) {
    const answer = await redis.ask((client) => client.eval(script, { keys: [...keys], arguments: args.map(String) }))
    tell(false)
    return answer
  }

  function renew(): void {
    for (const [list, ids] of held) void evaluate(renewScript, [list], [leaseMs, ...ids]).catch(() => undefined)
  }

  function hold(list: string, id: string): () => void {
    const ids = held.get(list) ?? new Set()
    held.set(list, ids.add(id))
    return () => {
      ids.delete(id)
      if (ids.size === 0 && held.get(list) === ids) held.delete(list)
    }
  }

  async function ask(key: string, allowance: Allowance, tokens: number): Promise<Admission> {
    // The braces keep a key's counts on one machine of a cluster.
    const [requestKey, tokenKey, list] = ['requests', 'tokens', 'active'].map((what) => `${prefix}:{${key}}:${what}`)
    if (requestKey === undefined || tokenKey === undefined || list === undefined) throw new Error('no names')
    const asked = tokensAsked(tokens, allowance)
    const id = createId()
    const { requestsPerMinute = 0, tokensPerMinute = 0, parallel = 0 } = allowance
    const limits = [requestsPerMinute, tokensPerMinute, parallel]
    const answer = await evaluate(
      admitScript,
      [requestKey, tokenKey, list],
      [...limits, asked, id, leaseMs, secondsKept],
    )
    const { broken, tally } = readAnswer(answer)
    const standing = standingOf(tally, allowance)
    if (broken !== '') return { measure: broken, standing, waitMs: waitFor(broken, tally, allowance, asked) }
    const letGo = hold(list, id)
    const second = Math.floor(tally.nowMs / 1000)
    let isOver = false
    return {
      standing,
      lease: {
        release(taken) {
          if (isOver) return
          isOver = true
          letGo()
          const more = taken === undefined ? 0 : Math.round(taken) - asked
          void evaluate(releaseScript, [tokenKey, list], [id, second, more]).catch(() => undefined)
        },
      },
    }
  }

  return {
    async admit(key, allowance, tokens) {
      try {
        return await ask(key, allowance, tokens)
      } catch (error) {
        tell(true, error instanceof Error ? error.message : String(error))
        return alone.admit(key, allowance, tokens)
      }
    },
    async close() {
      clearInterval(renewing)
      await redis.close()
    },
  }
}

function readAnswer(answer: unknown): { readonly broken: Measure | ''; readonly tally: Tally } {
  const [broken, now, requests, tokens] = answer as [Measure | '', string, readonly string[], readonly string[]]
  return { broken, tally: { nowMs: Number(now), requests: toSlots(requests), tokens: toSlots(tokens), active: 0 } }
}

/** Redis gives names and values in one list, in any order. */
function toSlots(flat: readonly string[]): Slots {
  const slots: [number, number][] = []
  for (let index = 0; index < flat.length; index += 2) slots.push([Number(flat[index]), Number(flat[index + 1])])
  return slots.sort(([first], [second]) => first - second)
}

interface QuotasOptions {
  /** `memory`, or the address of a Redis. */
  readonly store: string
  readonly now: () => number
  readonly createId: (prefix: string) => string
  readonly onChange?: (state: 'down' | 'back', reason?: string) => void
  /** Counts without a Redis, and while it is away; absent: in this process. */
  readonly memory?: Quotas | undefined
}

/** Counts where the configuration says. */
export function createQuotas({ store, now, createId, onChange, memory }: QuotasOptions): Quotas {
  const alone = memory ?? createMemoryQuotas(now)
  if (store === 'memory') return alone
  return createRedisQuotas({ url: store, alone, createId: () => createId('lease_'), ...(onChange && { onChange }) })
}
