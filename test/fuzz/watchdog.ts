import { Worker } from 'node:worker_threads'

/** What hangs cannot tell of itself: another thread does, with its seed, and ends the program. */
export function startWatchdog(hangsAfterMs = 60_000) {
  const seeds = new Int32Array(new SharedArrayBuffer(4))
  const source = `
    const { workerData: { seeds, hangsAfterMs } } = require('node:worker_threads')
    let [seen, since] = [seeds[0], Date.now()]
    setInterval(() => {
      if (seeds[0] !== seen) [seen, since] = [seeds[0], Date.now()]
      if (Date.now() - since < hangsAfterMs) return
      require('node:fs').writeSync(1, 'seed ' + seen + ' hangs\\n')
      process.kill(process.pid, 'SIGKILL')
    }, 1000)`
  const worker = new Worker(source, { eval: true, workerData: { seeds, hangsAfterMs } })
  worker.unref()
  return {
    at(seed: number): void {
      seeds[0] = seed
    },
  }
}
