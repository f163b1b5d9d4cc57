import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { printLicences } from './licences.ts'

const root = join(import.meta.dirname, '../..')

/** What is looked up when it is needed: built-in modules, and the client of Redis, which few install. */
const external = [/^node:/, '@redis/client']

/**
 * Makes the program of its sources and the packages it uses: a few files instead of a thousand, because finding and reading
 * them is most of a start. Verbs have files of their own. Not minified: stack traces are read by people.
 */
export async function bundleProgram(folder: string): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    input: { main: 'src/cli/main.ts', worker: 'src/cli/workers/worker.ts' },
    platform: 'node',
    external,
    // Packages that come in both forms: only ES modules can be bundled whole.
    resolve: { mainFields: ['module', 'main'] },
    logLevel: 'warn',
  })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    comments: false,
    cleanDir: true,
  })
  await bundle.close()
  const modules = output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []))
  writeFileSync(join(folder, 'LICENSES.md'), printLicences(modules))
  chmodSync(join(folder, 'main.js'), 0o755)
}
