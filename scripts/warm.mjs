// Runs after `npm ci` in a checkout, so that the first `npm start` is as fast as the next. Whatever fails here does no harm.
// As `prepare` it would run for nobody else either, but npm would warn whoever installs the package from a file.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const run = fileURLToPath(new URL('run.mjs', import.meta.url))
spawnSync(process.execPath, [run, 'serve', '--help'], { stdio: 'ignore', timeout: 60_000 })
