// The program of a checkout: built where its sources have changed since, because a thousand files are slow to load. Where it
// cannot be built (the packages for that are not there, or nothing can be written), the sources are the program.
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isStale } from './page.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const sources = ['src', 'scripts/bundle', 'package.json'].map((path) => join(root, path))
const built = join(root, 'dist/cli')

export async function findProgram() {
  if (isStale(sources, join(built, 'main.js'))) {
    try {
      await build()
    } catch {
      return join(root, 'src/cli/main.ts')
    }
  }
  return join(built, 'main.js')
}

/** Beside the old one, which stays until the new one is whole. */
async function build() {
  const { bundleProgram } = await import('./bundle/bundle.ts')
  mkdirSync(join(root, 'dist'), { recursive: true })
  const fresh = mkdtempSync(join(root, 'dist/.cli-'))
  try {
    await bundleProgram(fresh)
    rmSync(built, { recursive: true, force: true })
    renameSync(fresh, built)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}
