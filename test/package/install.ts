import { execFile } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

export const run = promisify(execFile)

export const root = process.cwd()
export const manifest = JSON.parse(readFileSync('package.json', 'utf8'))

/** Packs the project and has npx install it, in folders of its own. */
export async function installPackage() {
  const { npm_config_local_prefix: _, ...outer } = process.env
  const scratch = mkdtempSync(join(tmpdir(), 'dragoman-package-'))
  const empty = join(scratch, 'empty')
  mkdirSync(empty)
  mkdirSync(join(scratch, 'cache'))
  const env = {
    ...outer,
    PATH: `${dirname(process.execPath)}:${outer['PATH']}`,
    // npx keeps what it installs in the cache folder: here that is ours, with the machine's downloads behind it.
    npm_config_cache: join(scratch, 'cache'),
    npm_config_prefer_offline: 'true',
  }
  const cache = (await run('npm', ['config', 'get', 'cache'], { cwd: empty, env: outer })).stdout.trim()
  mkdirSync(join(cache, '_cacache'), { recursive: true })
  symlinkSync(join(cache, '_cacache'), join(scratch, 'cache/_cacache'))

  await run('npm', ['pack', '--pack-destination', scratch], { cwd: root, env })
  const tarball = join(scratch, `dragoman-${manifest.version}.tgz`)
  const npx = await run('npx', ['--yes', `--package=${tarball}`, 'dragoman', '--version'], { cwd: empty, env })

  const [home = ''] = readdirSync(join(scratch, 'cache/_npx'))
  const installed = join(scratch, 'cache/_npx', home, 'node_modules')
  return {
    scratch,
    empty,
    env,
    tarball,
    version: npx.stdout.trim(),
    /** The folder node_modules, and every path in it. */
    installed,
    contents: readdirSync(installed, { recursive: true, encoding: 'utf8' }),
    program: [process.execPath, join(installed, 'dragoman', manifest.bin.dragoman)] as const,
    remove: () => rmSync(scratch, { recursive: true, force: true }),
  }
}

/** The bytes of all files of a folder. */
export function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => lstatSync(join(folder, path)))
    .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0)
}
