import { getHeapSpaceStatistics } from 'node:v8'

/** What a process has used so far, sent to its parent. */
export interface Reading {
  readonly cpuMicros: number
  readonly rssBytes: number
  /** What lives longer than a request, and what only a full collection frees. */
  readonly oldBytes: number
  /** The longest the event loop stood still since the last reading, in milliseconds. */
  readonly stalledMs: number
}

/** On one clock for all processes of a machine. */
export function microseconds(): number {
  return Number(process.hrtime.bigint() / 1000n)
}

/**
 * Answers questions about this process over its channel. Loaded before the program under test as well (`--import`), so that
 * all are measured in the same way: `process.cpuUsage` counts all threads, the collector's too.
 */
export function serveMeter(): void {
  let stalledMs = 0
  let watching: NodeJS.Timeout | undefined
  let before = performance.now()

  /** Only on request: a timer every millisecond is work, too. */
  function watch(): void {
    before = performance.now()
    watching = setInterval(() => {
      const now = performance.now()
      stalledMs = Math.max(stalledMs, now - before - 1)
      before = now
    }, 1)
    watching.unref()
  }

  process.on('message', (message: unknown) => {
    if (message === 'watch') watch()
    if (message === 'collect') globalThis.gc?.()
    if (message !== 'read') return
    const { user, system } = process.cpuUsage()
    const old = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')
    const reading: Reading = {
      cpuMicros: user + system,
      rssBytes: process.memoryUsage.rss(),
      oldBytes: old?.space_used_size ?? 0,
      stalledMs,
    }
    clearInterval(watching)
    stalledMs = 0
    process.send?.({ reading })
  })
  process.channel?.unref()
}
