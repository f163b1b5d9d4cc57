import { expect, onTestFinished, test } from 'vitest'
import { runMixed } from './mixed.ts'
import { runPaced } from './paced.ts'
import { slopeOf } from './probe.ts'
import { restOf, startSoak } from './stage.ts'

/** Short forms of `npm run soak`. */

test('clients that ask and go as they like, at services that do everything wrong, leave nothing behind', async () => {
  const soak = await startSoak()
  onTestFinished(soak.stop)
  const plan = { ms: 4000, clients: 16, seed: 1, faulty: 30, leaving: 40, everyMs: 1000 }
  const { before, after, requests, left } = await runMixed(soak, plan)
  expect(requests).toBeGreaterThan(50)
  expect(left).toBeGreaterThan(5)
  expect(await restOf(soak.stage)).toEqual([1, 0, 0])
  expect(after.descriptors).toBeLessThan(before.descriptors + 10)
  expect(after.timers).toBeLessThan(before.timers + 6)
  expect(soak.stage.child.exitCode).toBeNull()
  expect(soak.stage.log()).not.toMatch(/NEVER|internal_error/)
}, 60_000)

test('many slow streams at once come whole and in order', async () => {
  const { whole } = await runPaced({ streams: 60, seconds: 2 })
  expect(whole).toBe(60)
}, 30_000)

test.each([
  [[], 0],
  [[[0, 5]], 0],
  [
    [
      [0, 5],
      [1000, 6],
      [2000, 7],
    ],
    3600,
  ],
] as const)('the slope of %j is %d an hour', (points, slope) => {
  expect(slopeOf(points.map(([atMs, bytes]) => ({ atMs, bytes })))).toBe(slope)
})
