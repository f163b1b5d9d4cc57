import { createRequire } from 'node:module'
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

/** What is missing before a Redis can be used, and what to do; undefined when nothing is. */
export function complainOfRedis(resolve: (name: string) => string = createRequire(import.meta.url).resolve) {
  try {
    resolve(clientPackage)
    return undefined
  } catch {
    return {
      lack: `needs the package ${clientPackage}, which isn't installed.`,
      remedy:
        'Install it beside Dragoman: `npm install @redis/client`, or run `npx -p dragoman -p @redis/client dragoman`.',
    }
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
