import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 10_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    // A test that leaves a timer or a socket behind must not hang the run.
    teardownTimeout: 5_000,
  },
})
