import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'

const installMs = 600_000
const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'dragoman-agents')

/** Programs see the Node of this project first. */
export const programPath = [
  resolve('node_modules/.bin'),
  dirname(process.execPath),
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
].join(delimiter)

/**
 * A folder outside the project with these packages in it, at exactly these versions. It is kept between runs; one that was
 * not finished is made anew.
 */
export function install(name: string, packages: readonly string[], options: readonly string[] = []): string {
  const folder = join(cache, name)
  const mark = join(folder, 'installed.json')
  const wanted = JSON.stringify({ packages, options })
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return folder
  const fresh = `${folder}.${process.pid}`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  writeFileSync(join(fresh, 'package.json'), '{"private": true}\n')
  const args = ['install', '--no-audit', '--no-fund', '--save-exact', '--loglevel=error', ...options, ...packages]
  const env = { ...process.env, PATH: programPath }
  const done = spawnSync('npm', args, { cwd: fresh, env, encoding: 'utf8', timeout: installMs })
  if (done.status !== 0) {
    rmSync(fresh, { recursive: true, force: true })
    throw new Error(`${name} could not be installed from the registry: ${(done.stderr ?? '').trim().slice(-400)}`)
  }
  writeFileSync(join(fresh, 'installed.json'), wanted)
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
  return folder
}
