import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { filesOf, tiers } from './tiers.ts'

test.each(Object.values(tiers).flat())('%s, named for a tier, has tests', (folder) => {
  expect(globSync(filesOf(folder))).not.toEqual([])
})
