import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Lets much survive, so that the nursery grows, and tells how large it is in the end. */
const crowded = (bounds: boolean) => `import { getHeapSpaceStatistics } from 'node:v8'
  import { tendNursery } from ${JSON.stringify(join(import.meta.dirname, 'nursery.ts'))}
  if (${bounds}) tendNursery()
  let kept = []
  for (let round = 0; round < 300; round++) {
    for (let count = 0; count < 10_000; count++) kept.push({ round, list: [count] })
    if (kept.length > 60_000) kept = kept.slice(30_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const nursery = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
  console.log(nursery.space_size / 2 ** 20)`

/** The flag makes machines of any size alike; it is not one of the program's own here. */
function megabytesOf(bounds: boolean): number {
  const flags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=64', '--input-type=module', '-e']
  const program = `process.execArgv.length = 0\n${crowded(bounds)}`
  return Number(execFileSync(process.execPath, [...flags, program], { encoding: 'utf8' }))
}

test('a bounded nursery stays at 64 MB, where another grows beyond', () => {
  expect(megabytesOf(true)).toBeLessThanOrEqual(64)
  expect(megabytesOf(false)).toBeGreaterThan(64)
})
