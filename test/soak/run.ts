import { parseArgs } from 'node:util'
import { runMixed } from './mixed.ts'
import { runPaced } from './paced.ts'
import type { Sample } from './probe.ts'
import { startSoak } from './stage.ts'

/**
 * `npm run soak -- --minutes 30` mixed traffic with faults over all doors; `--disconnects 10000` clients that go away at
 * random moments; `--streams 1000 --seconds 60` slow streams at the same time. Exits with 1 when something is left over.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    disconnects: { type: 'string' },
    streams: { type: 'string' },
    seconds: { type: 'string' },
    clients: { type: 'string' },
    seed: { type: 'string' },
  },
})
const seed = Number(values.seed ?? Date.now() % 2 ** 31)
const clients = Number(values.clients ?? 40)
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`
const printSample = ({ heapBytes, descriptors, timers, residentBytes }: Sample): string =>
  `heap ${megabytes(heapBytes)}, resident ${megabytes(residentBytes)}, ${descriptors} descriptors, ${timers} timers`

/** What the heap may grow by in an hour, as far as that can be told, and what may stay open. */
const mostBytesPerHour = 20 * 2 ** 20
const mostDescriptors = 10
const mostTimers = 5

async function mixed(how: 'minutes' | 'disconnects', count: number): Promise<void> {
  const soak = await startSoak()
  const ms = how === 'minutes' ? count * 60_000 : Number.POSITIVE_INFINITY
  const result = await runMixed(soak, {
    ms,
    clients,
    seed,
    faulty: how === 'minutes' ? 30 : 10,
    leaving: how === 'minutes' ? 15 : 100,
    ...(how === 'disconnects' && { leaves: count }),
    everyMs: how === 'minutes' ? Math.max(1000, ms / 60) : 1000,
    onSample: (sample, atMs, requests) =>
      say(`${Math.round(atMs / 1000)} s, ${requests} requests: ${printSample(sample)}`),
  })
  const alive = soak.stage.child.exitCode === null
  const secrets = soak.stage.log().includes('NEVER')
  const broken = (soak.stage.log().match(/internal_error/g) ?? []).length
  await soak.stop()
  const { before, after, requests, left, bytesPerHour } = result
  say(`seed ${seed}: ${requests} requests, ${left} clients left, ${Math.round(result.ms / 1000)} s`)
  say(`before: ${printSample(before)}`)
  say(`after:  ${printSample(after)}`)
  const isLong = how === 'minutes' && count >= 5
  if (how === 'minutes') say(`heap: ${megabytes(bytesPerHour)} an hour`)
  const leaks = [
    isLong && bytesPerHour > mostBytesPerHour && 'the heap grows',
    after.descriptors > before.descriptors + mostDescriptors && 'descriptors stay open',
    after.timers > before.timers + mostTimers && 'timers stay set',
    !alive && 'the program has ended',
    secrets && 'the log tells a secret',
    broken > 0 && `${broken} internal errors`,
  ].filter((leak) => leak !== false)
  say(leaks.length === 0 ? '0 leaks' : leaks.join(', '))
  if (leaks.length > 0) process.exitCode = 1
}

if (values.streams !== undefined) {
  const plan = { streams: Number(values.streams), seconds: Number(values.seconds ?? 60) }
  const { whole, before, after, peakBytes, delayMs } = await runPaced(plan)
  say(`${plan.streams} streams of ${plan.seconds} s: ${whole} whole and in order, ${plan.streams - whole} not`)
  say(
    `resident at most ${megabytes(peakBytes)}; loop delay p50 ${delayMs.p50} ms, p99 ${delayMs.p99} ms, most ${delayMs.max} ms`,
  )
  say(`before: ${printSample(before)}\nafter:  ${printSample(after)}`)
  if (whole !== plan.streams) process.exitCode = 1
} else if (values.disconnects !== undefined) await mixed('disconnects', Number(values.disconnects))
else await mixed('minutes', Number(values.minutes ?? 5))
