import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Lets much survive, so that the nursery grows; has V8 save memory, as it does in an idle minute; and lets much survive again. */
const busyIdleBusy = (bounds: boolean) => `import { Session } from 'node:inspector/promises'
  import { getHeapSpaceStatistics } from 'node:v8'
  import { tendNursery } from ${JSON.stringify(join(import.meta.dirname, 'nursery.ts'))}
  if (${bounds}) tendNursery()
  const sizes = []
  function look() {
    const nursery = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
    sizes.push(nursery.space_size / 2 ** 20)
  }
  async function crowd() {
    let kept = []
    for (let round = 0; round < 300; round++) {
      for (let count = 0; count < 10_000; count++) kept.push({ round, list: [count] })
      if (kept.length > 60_000) kept = kept.slice(30_000)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const session = new Session()
  session.connect()
  await crowd()
  look()
  await session.post('HeapProfiler.collectGarbage')
  look()
  await crowd()
  look()
  console.log(JSON.stringify(sizes))`

/** The flag makes machines of any size alike; it is not one of the program's own here. */
function megabytesOf(bounds: boolean): readonly number[] {
  const flags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=64', '--input-type=module', '-e']
  const program = `process.execArgv.length = 0\n${busyIdleBusy(bounds)}`
  return JSON.parse(execFileSync(process.execPath, [...flags, program], { encoding: 'utf8' })) as number[]
}

test('a bounded nursery stays at 64 MB, where another grows beyond', () => {
  expect(megabytesOf(true)[0]).toBeLessThanOrEqual(64)
  expect(megabytesOf(false)[0]).toBeGreaterThan(64)
})

test('a nursery that was made small in an idle minute grows again', () => {
  const [busy = 0, idle = 0, busyAgain = 0] = megabytesOf(true)
  expect(idle).toBeLessThan(busy / 4)
  expect(busyAgain).toBe(busy)
})
