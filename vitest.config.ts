import { defineConfig } from 'vitest/config'
import { filesOf, tiers } from './test/tiers.ts'

const all = ['src', 'web', 'test'].map(filesOf)
const others = Object.values(tiers).flat().map(filesOf)

export default defineConfig({
  test: {
    environment: 'node',
    testTimeout: 10_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    setupFiles: ['test/seed.ts'],
    // A test that leaves a timer or a socket behind must not hang the run.
    teardownTimeout: 5_000,
    projects: [
      { extends: true, test: { name: 'quick', include: all, exclude: others } },
      { extends: true, test: { name: 'long', include: tiers.long.map(filesOf) } },
      { extends: true, test: { name: 'agents', include: tiers.agents.map(filesOf) } },
    ],
  },
})
