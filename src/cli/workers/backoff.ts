/** After this long a worker has proved that it can live. */
const provenMs = 60_000
const firstWaitMs = 1000
const longestWaitMs = 30_000

/** How long to wait before a worker that died is started again: not at all at first, longer each time it dies young. */
export function createBackoff(now: () => number) {
  let died = 0
  let diedAt = Number.NEGATIVE_INFINITY
  return {
    next(): number {
      died = now() - diedAt < provenMs ? died + 1 : 0
      diedAt = now()
      return died === 0 ? 0 : Math.min(firstWaitMs * 2 ** (died - 1), longestWaitMs)
    },
  }
}
