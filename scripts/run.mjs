// Starts a checkout. An older Node cannot even load the program, which is TypeScript: it is told here what is missing.
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { findMissing } from './missing.mjs'
import { buildPageBeside } from './page.mjs'

const missing = findMissing(['dependencies'])
if (missing === undefined) {
  // Taking the types out of six hundred files is two thirds of a start: it is done once, `npm ci` sees to that.
  module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/dragoman', import.meta.url)))
  const [verb = 'serve', ...rest] = process.argv.slice(2).filter((word) => !word.startsWith('--no-'))
  const isServing = verb === 'serve' || (verb.startsWith('--') && !['--version', '--help'].includes(verb))
  if (isServing && !rest.includes('--help') && !process.argv.includes('--no-inspector')) buildPageBeside()
  await import('../src/cli/main.ts')
} else {
  process.stderr.write(`${missing}\n`)
  process.exitCode = 1
}
