import { GatewayError } from '../errors.ts'
import type { Upstream, UpstreamEmbedding, UpstreamEvent } from './upstream.ts'

export interface GateSettings {
  /** Answers at the same time. */
  readonly concurrency?: number | undefined
  /** How many may wait for their turn. */
  readonly queue?: number | undefined
}

export interface Load {
  readonly active: number
  readonly waiting: number
}

/** Lets so many in at a time; others wait in line. */
export interface Gate {
  /** Resolves when it is one's turn, with how many were before; rejects when the line is full or `signal` aborts. */
  enter(signal: AbortSignal): Promise<number>
  leave(): void
  readonly load: Load
}

const defaultQueue = 128
const defaultWaitMs = 60_000
const maxRetryAfterSeconds = 60
/** How much the last answer counts in the mean. */
const weightOfLast = 0.2

/** Makes a gate by its name, how many it lets in, how many may wait, and how long. */
export type GateMaker = (name: string, concurrency: number, queue: number, now: () => number, waitMs: number) => Gate

export function createGate(
  name: string,
  concurrency: number,
  queue: number,
  now: () => number,
  waitMs = defaultWaitMs,
): Gate {
  const waiting = new Set<() => void>()
  const entered: number[] = []
  let active = 0
  let meanMs = 1000

  function begin(): void {
    active += 1
    entered.push(now())
  }

  function fullness(why = ''): GatewayError {
    const seconds = Math.ceil((meanMs * (waiting.size + 1)) / concurrency / 1000)
    const message = `${name} is busy${why}: ${active} running, ${waiting.size} waiting. Try again later.`
    return new GatewayError('queue_full', message, { retryAfterSeconds: Math.min(seconds, maxRetryAfterSeconds) })
  }

  return {
    enter(signal) {
      if (signal.aborted) return Promise.reject(signal.reason)
      if (active < concurrency && waiting.size === 0) {
        begin()
        return Promise.resolve(0)
      }
      if (waiting.size >= queue) return Promise.reject(fullness())
      const before = waiting.size + 1
      return new Promise((resolve, reject) => {
        const leave = (reason: () => unknown) => {
          clearTimeout(timer)
          signal.removeEventListener('abort', gone)
          waiting.delete(admit)
          reject(reason())
        }
        const gone = () => leave(() => signal.reason)
        const timer = setTimeout(leave, waitMs, () => fullness(` (no slot came free within ${waitMs} ms)`))
        const admit = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', gone)
          begin()
          resolve(before)
        }
        signal.addEventListener('abort', gone, { once: true })
        waiting.add(admit)
      })
    },
    leave() {
      active -= 1
      meanMs += weightOfLast * (now() - (entered.shift() ?? now()) - meanMs)
      const [next] = waiting
      if (next === undefined) return
      waiting.delete(next)
      next()
    },
    get load() {
      return { active, waiting: waiting.size }
    },
  }
}

/** A service behind a gate, if it has one. */
export interface Gated extends Upstream {
  readonly load?: Load
}

/** The same service, asked by no more at a time than it can bear. Its list of models and its probe are not held up. */
export function gated(
  upstream: Upstream,
  { concurrency, queue = defaultQueue }: GateSettings,
  now = Date.now,
  waitMs = defaultWaitMs,
  makeGate: GateMaker = createGate,
): Gated {
  if (concurrency === undefined) return upstream
  const gate = makeGate(upstream.name, concurrency, queue, now, waitMs)
  const { embed } = upstream
  return {
    ...upstream,
    ...(embed !== undefined && {
      async embed(request: UpstreamEmbedding, signal: AbortSignal) {
        await gate.enter(signal)
        return await embed(request, signal).finally(gate.leave)
      },
    }),
    get load() {
      return gate.load
    },
    async *chat(request, signal) {
      const before = await gate.enter(signal)
      try {
        let note: readonly UpstreamEvent[] =
          before === 0 ? [] : [{ type: 'note', kind: 'queued', detail: `${before} in line` }]
        for await (const events of upstream.chat(request, signal)) {
          yield note.length === 0 ? events : [...note, ...events]
          note = []
        }
      } finally {
        gate.leave()
      }
    },
  }
}
