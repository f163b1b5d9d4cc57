// Starts a checkout. An older Node cannot even load the program, which is TypeScript: it is told here what is missing.
import module from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findMissing } from './missing.mjs'
import { buildPageBeside } from './page.mjs'
import { findProgram } from './program.mjs'

const missing = findMissing(['dependencies'])
if (missing === undefined) {
  // Compiling is a third of a start: it is done once, `npm ci` sees to that.
  module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/dragoman', import.meta.url)))
  const [verb = 'serve', ...rest] = process.argv.slice(2).filter((word) => !word.startsWith('--no-'))
  const isServing = verb === 'serve' || (verb.startsWith('--') && !['--version', '--help'].includes(verb))
  if (isServing && !rest.includes('--help') && !process.argv.includes('--no-inspector')) buildPageBeside()
  await import(pathToFileURL(await findProgram()).href)
} else {
  process.stderr.write(`${missing}\n`)
  process.exitCode = 1
}
