import { createRequire } from 'node:module'
import { isSea } from 'node:sea'
import type { RedisClientType } from '@redis/client'

/** A Redis that several gateways share. Nothing waits long for it. */
export interface Redis {
  /** Rejects when it does not answer soon. */
  ask<T>(question: (client: RedisClientType) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** The client is a package of its own: few need it, and it would be half of what an installation takes. */
const clientPackage = '@redis/client'

/** How long a request waits for a Redis before it goes on without. */
const patienceMs = 1_000

const longestReconnectMs = 1_000

/** In one sentence what is missing before a Redis can be used; undefined when nothing is. */
export function complainOfRedis(resolve: (name: string) => string = createRequire(import.meta.url).resolve) {
  // What a single executable can use is inside it.
  if (isSea()) return undefined
  try {
    resolve(clientPackage)
    return undefined
  } catch {
    const beside = 'beside Dragoman: `npm install @redis/client`, or `npx -p dragoman -p @redis/client dragoman`'
    return `needs the package ${clientPackage}, which isn't installed. Install it ${beside}.`
  }
}

/** Connects at once, and again whenever the connection is lost. */
export function openRedis(url: string, onError: (error: Error) => void = () => undefined): Redis {
  const client = import('@redis/client').then(({ createClient }): RedisClientType => {
    const made = createClient({
      url,
      disableOfflineQueue: true,
      socket: {
        connectTimeout: patienceMs,
        reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, longestReconnectMs),
      },
    })
    made.on('error', onError)
    return made as RedisClientType
  })
  // It keeps trying by itself: only the first questions have to wait for the first try.
  const tried = client.then((one) => within(one.connect())).then(ignore, ignore)

  return {
    async ask(question) {
      await tried
      return await within(question(await client))
    },
    async close() {
      ;(await client.catch(ignore))?.destroy()
    },
  }
}

function ignore(): undefined {
  return undefined
}

/** What a promise gives, if it does so soon. */
async function within<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs} ms`)), patienceMs)
  })
  try {
    return await Promise.race([promise, patience])
  } finally {
    clearTimeout(timer)
  }
}
