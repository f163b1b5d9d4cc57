import { describe, expect, test } from 'vitest'
import { found } from './found.ts'
import { errorOf, hunt } from './hunt.ts'
import { targets } from './targets.ts'

/** A short hunt; `npm run fuzz` is the long one, with new seeds each time. */
const runs = 300
const firstSeed = 1

describe.each(targets)('$name', (target) => {
  test(`holds for ${runs} made inputs`, async () => {
    expect(await hunt(target, runs, firstSeed)).toBeUndefined()
  }, 30_000)
})

test.each(found)('$target holds for what once broke it: $input', async ({ target: name, input, seed }) => {
  const target = targets.find((each) => each.name === name)
  if (target === undefined) throw new Error(`no target ${name}`)
  // The cuttings are by chance: others are tried beside the one that told.
  for (let nth = 0; nth < 40; nth += 1) expect(await errorOf(target, input, seed + nth)).toBeUndefined()
})

test('a target that breaks is told of, as small as it can be', async () => {
  const broken = {
    name: 'broken',
    make: () => 'aaaaaaaXaaaaYaaa',
    run(input: string) {
      if (input.includes('X') && input.includes('Y')) throw new Error('both')
    },
  }
  expect(await hunt(broken, 5, 1)).toMatchObject({ target: 'broken', seed: 1, input: 'XY' })
})
