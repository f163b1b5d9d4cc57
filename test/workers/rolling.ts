import { until } from '../until.ts'
import { type startWorkers, stream } from './stage.ts'

type Workers = Awaited<ReturnType<typeof startWorkers>>

interface Plan {
  readonly restarts: number
  /** How many are under way at every moment. */
  readonly streams: number
}

/** Replaces all workers again and again while clients stream all the time, each on new connections. */
export async function rollUnderStreams(gateway: Workers, { restarts, streams }: Plan) {
  const counts = { whole: 0, cut: 0, refused: 0 }
  let isOver = false
  let begun = 0
  const clients = Array.from({ length: streams }, async () => {
    while (!isOver) {
      const { outcome } = await stream(gateway.origin, () => {
        begun += 1
      })
      counts[outcome] += 1
    }
  })
  await until(() => begun >= streams)
  const served = new Set(gateway.workers())
  for (let nth = 1; nth <= restarts; nth += 1) {
    gateway.child.kill('SIGHUP')
    await until(() => (gateway.said().match(/Replaced all/g) ?? []).length === nth, 60_000)
    for (const worker of gateway.workers()) served.add(worker)
  }
  isOver = true
  await Promise.all(clients)
  return { ...counts, workers: served.size }
}
