import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const cache = resolve('node_modules/.cache/dragoman-built')

let program: string | undefined

/**
 * The program as the package has it. It is built once for what the sources are now, into a place of its own: `dist` belongs
 * to builds of the package, which may run at this moment.
 */
export function builtProgram(): readonly [string, string] {
  program ??= findProgram()
  return [process.execPath, program]
}

function findProgram(): string {
  const built = join(cache, newestOf(['src', 'scripts/bundle', 'package.json']).toString(36))
  if (!existsSync(built)) build(built)
  return join(built, 'dist/cli/main.js')
}

function build(built: string): void {
  mkdirSync(cache, { recursive: true })
  const place = mkdtempSync(join(cache, 'new-'))
  try {
    execFileSync(process.execPath, [resolve('scripts/bundle/write.ts'), join(place, 'dist/cli')])
    for (const name of ['package.json', 'dragoman.schema.json']) copyFileSync(name, join(place, name))
    symlinkSync(resolve('dist/inspector'), join(place, 'dist/inspector'))
    // Where another suite was quicker, its folder is there and not empty.
    if (!existsSync(built)) renameSync(place, built)
  } catch (error) {
    if (!existsSync(built)) throw error
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
  const outdated = readdirSync(dirname(built)).map((name) => join(cache, name))
  for (const old of outdated) if (old !== built && ageOf(old) > dayMs) rmSync(old, { recursive: true, force: true })
}

const dayMs = 86_400_000
const ageOf = (path: string): number => Date.now() - statSync(path).mtimeMs

/** When the last of these files and all that is in these folders was written. */
function newestOf(paths: readonly string[]): number {
  return Math.max(
    ...paths.map((path) => {
      const found = statSync(path)
      if (!found.isDirectory()) return Math.ceil(found.mtimeMs)
      return Math.max(Math.ceil(found.mtimeMs), newestOf(readdirSync(path).map((name) => join(path, name))))
    }),
  )
}
