// Runs before the tests and the checks.
import { findMissing } from './missing.mjs'

const missing = findMissing(['dependencies', 'devDependencies'])
if (missing !== undefined) {
  process.stderr.write(`${missing}\n`)
  process.exitCode = 1
}
