import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { defineConfig } from 'vitest/config'

/** The tests of the engine, the laws and the grammars, with one file's text replaced. */
// biome-ignore lint/style/noDefaultExport: vitest wants it so
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      load: (id) => (id.split('?')[0] === env['MUTATED_FILE'] ? readFileSync(env['MUTANT'] ?? '', 'utf8') : null),
    },
  ],
  // Vitest keeps what it loaded from one run to the next, which would hide the mutant.
  test: {
    fsModuleCache: false,
    passWithNoTests: true,
    include: ['src/engine/**/*.test.ts', 'test/laws/*.test.ts', 'test/constrain/*.test.ts'],
    testTimeout: 20_000,
    maxWorkers: 1,
    // One process, so that one that hangs is gone when it is killed; loaded once for all files, which is most of the time.
    pool: 'threads',
    isolate: false,
  },
})
