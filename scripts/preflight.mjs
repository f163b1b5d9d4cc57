// Runs before the tests and the checks, on whatever Node is there, and says in one line what is missing.
import { existsSync, readFileSync } from 'node:fs'

const { devDependencies, dependencies, engines } = JSON.parse(readFileSync('package.json', 'utf8'))

function findMissing() {
  const absent = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !existsSync(`node_modules/${name}`),
  )
  if (absent.length > 0) return `packages are missing (${absent.join(', ')}): run "npm ci" first.`

  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = engines.node.replace('>=', '').split('.').map(Number)
  if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor))
    return (
      `Node ${engines.node} is missing (this is ${process.versions.node}). ` +
      'It comes with "npm ci" unless install scripts are switched off: run "npm rebuild node", or install Node 24.'
    )
  return undefined
}

const missing = findMissing()
if (missing !== undefined) {
  process.stderr.write(`dragoman: ${missing}\n`)
  process.exitCode = 1
}
