import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'

const installMs = 180_000
const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'dragoman-agents')

/** Programs see the Node of this project first. */
export const programPath = [
  resolve('node_modules/.bin'),
  dirname(process.execPath),
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
].join(delimiter)

/** Nothing of it that works can be had from the registry at the moment: no fault of ours. */
export class NotToBeHad extends Error {
  override readonly name = 'NotToBeHad'
}

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
  const done = npm(args, fresh)
  if (done.status !== 0) {
    rmSync(fresh, { recursive: true, force: true })
    const reason = done.stderr
      .split('\n')
      .find((line) => !/^npm error (?:code|A complete log)/.test(line) && line !== '')
    throw new NotToBeHad(`${name} could not be installed from the registry: ${reason?.slice(0, 300)}`)
  }
  writeFileSync(join(fresh, 'installed.json'), wanted)
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
  return folder
}

export interface Wanted {
  /** The first one has the version that counts. One with a version is pinned. */
  readonly packages: readonly [string, ...string[]]
  readonly options?: readonly string[]
  /** Files that must be there: a program that comes as a package of its own may be missing. */
  readonly needs?: readonly string[]
}

export interface Installed {
  readonly folder: string
  readonly version: string
}

/** The newest version that can be had whole, with what there was of the other packages when it came out. */
export function installNewest({ packages, options = [], needs = [] }: Wanted): Installed {
  const [first, ...others] = packages
  const name = packages.join('+').replaceAll(/[@/]+/g, '-').replace(/^-/, '')
  if (/.@\d/.test(first)) return look(install(name, packages, options), first, needs)
  const published = askRegistry(first)
  if (published === undefined) throw new NotToBeHad(`${first} is not in the registry, or there is no registry.`)
  return firstToBeHad(newestFirst(published), ({ version, before }) => {
    const exact = [`${first}@${version}`, ...others]
    const folder = install(`${name}@${version}`, exact, before ? [...options, `--before=${before}`] : options)
    return look(folder, first, needs)
  })
}

function look(folder: string, first: string, needs: readonly string[]): Installed {
  const missing = needs.find((path) => !existsSync(join(folder, path)))
  if (missing !== undefined) throw new NotToBeHad(`${first} came without ${missing}.`)
  const file = join(folder, 'node_modules', first.replace(/(.)@\d.*$/, '$1'), 'package.json')
  return { folder, version: (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version }
}

interface Published {
  readonly version: string
  readonly time: Readonly<Record<string, string>>
}

interface Candidate {
  readonly version: string
  /** The other packages must have been there by then. */
  readonly before?: string
}

const mostTries = 12
const dayMs = 86_400_000

/** What the registry calls the newest, then what came out before it. */
export function newestFirst({ version: newest, time }: Published): readonly Candidate[] {
  const older = Object.entries(time)
    .filter(([version, at]) => /^\d+\.\d+\.\d+$/.test(version) && at < (time[newest] ?? ''))
    .toSorted(([, one], [, other]) => other.localeCompare(one))
    .slice(0, mostTries - 1)
    .map(([version, at]) => ({ version, before: new Date(Date.parse(at) + dayMs).toISOString() }))
  return [{ version: newest }, ...older]
}

/** The first one that can be had. If none can, the reason is that of the newest. */
export function firstToBeHad(
  candidates: readonly Candidate[],
  attempt: (candidate: Candidate) => Installed,
): Installed {
  let failure: NotToBeHad | undefined
  for (const candidate of candidates) {
    try {
      return attempt(candidate)
    } catch (error) {
      if (!(error instanceof NotToBeHad)) throw error
      failure ??= error
    }
  }
  throw failure ?? new NotToBeHad('There is no version of it.')
}

function askRegistry(name: string): Published | undefined {
  const { stdout, status } = npm(['view', name, 'version', 'time', '--json'], '.')
  return status === 0 ? JSON.parse(stdout) : undefined
}

function npm(args: readonly string[], cwd: string) {
  const env = { ...process.env, PATH: programPath }
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, env, encoding: 'utf8', timeout: installMs })
  return { status, stdout: stdout ?? '', stderr: stderr ?? '' }
}
