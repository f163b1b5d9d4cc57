// What keeps a checkout from running, in one line. It runs on whatever Node is there, so it is plain JavaScript.
import { existsSync, readFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)

/** `packages` says which must be there: the program needs fewer than its tests do. */
export function findMissing(packages) {
  const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  const wanted = packages.flatMap((kind) => Object.keys(manifest[kind]))
  const absent = wanted.filter((name) => !existsSync(new URL(`node_modules/${name}`, root)))
  if (absent.length > 0) return `Packages are missing (${absent.join(', ')}). Run "npm ci" first.`

  const needed = manifest.engines.node.replace('>=', '')
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [neededMajor, neededMinor] = needed.split('.').map(Number)
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return undefined
  return (
    `Dragoman needs Node ${needed} or newer, and this is Node ${process.versions.node}. ` +
    '"npm ci" brings a newer one for "npm start": if install scripts are switched off, run "npm rebuild node".'
  )
}
