// Builds the inspector's page of a checkout where it is missing or older than its sources: `npm start` runs this beside the
// gateway, which serves the page as soon as it is there. Whatever fails here costs the page only, and opening it says what to run.
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const sources = [
  'web',
  'src/engine',
  'src/dialects',
  'src/protocol',
  'src/schema',
  'src/traces',
  'src/turn',
  'src/library',
]

/** Whether a page that was built is not what its sources would give by now. */
export function isStale(folders, built) {
  const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs
  return builtAt === undefined || folders.some((folder) => newestIn(folder) > builtAt)
}

/** A folder, or a file. */
function newestIn(folder) {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return 0
  if (found.isFile()) return found.mtimeMs
  return readdirSync(folder, { withFileTypes: true, recursive: true }).reduce((newest, entry) => {
    if (!entry.isFile() || entry.name.includes('.test.')) return newest
    return Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs)
  }, 0)
}

/** Runs beside a gateway that is about to start, for as long as that runs. */
export function buildPageBeside() {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'build'], { stdio: 'ignore' })
  child.on('error', () => undefined)
  child.unref()
  process.once('exit', () => child.kill())
}

/** Beside the old page, which stays until the new one is whole. */
async function buildPage() {
  const [built, fresh] = [join(root, 'dist/inspector'), join(root, 'dist/.inspector')]
  if (
    !isStale(
      sources.map((folder) => join(root, folder)),
      join(built, 'index.html'),
    )
  )
    return
  const { build } = await import('vite')
  mkdirSync(join(root, 'dist'), { recursive: true })
  await build({ root: join(root, 'web'), logLevel: 'silent', build: { outDir: fresh, emptyOutDir: true } })
  rmSync(built, { recursive: true, force: true })
  renameSync(fresh, built)
}

if (process.argv[2] === 'build' && process.argv[1] === fileURLToPath(import.meta.url)) await buildPage()
