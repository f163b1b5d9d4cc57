import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Every file is one more of the same kind, and found by its name. */
const oneKindEach = new Set(['src/dialects', 'src/library/dialects', 'src/upstreams/flavours'])

/** What can be taken in at a glance. */
const mostFiles = 18

test('a folder that does several jobs has rooms: none holds more files than can be taken in at a glance', () => {
  const counts = new Map<string, number>()
  for (const file of globSync('{src,web}/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.*'] })) {
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  }
  expect(counts.size).toBeGreaterThan(50)
  const crowded = [...counts].filter(([folder, files]) => files > mostFiles && !oneKindEach.has(folder))
  expect(crowded).toEqual([])
})
