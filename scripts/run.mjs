// Starts a checkout. An older Node cannot even load the program, which is TypeScript: it is told here what is missing.
import { findMissing } from './missing.mjs'

const missing = findMissing(['dependencies'])
if (missing === undefined) await import('../src/cli/main.ts')
else {
  process.stderr.write(`${missing}\n`)
  process.exitCode = 1
}
