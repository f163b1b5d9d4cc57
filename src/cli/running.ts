import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { userStateFile } from '../config/sources/file.ts'
import type { Surroundings } from '../config/sources/surroundings.ts'
import { parseObject } from '../protocol/json.ts'
import { isAlive } from './workers/shared-folder.ts'

/** A gateway of this user, as the file says that it keeps while it runs. */
interface RunningGateway {
  readonly pid: number
  /** `http://127.0.0.1:8484` */
  readonly origin: string
  /** When it started, in milliseconds. */
  readonly since: number
  /** The file it was configured by. */
  readonly config?: string
}

const folderOf = (surroundings: Surroundings): string => userStateFile(surroundings, 'running')

/** Leaves word of a gateway for the other commands until this process ends. Without a state folder there is none. */
export function announceGateway(origin: string, config: string | undefined, surroundings: Surroundings): void {
  const folder = folderOf(surroundings)
  const path = join(folder, `${process.pid}.json`)
  const running: RunningGateway = {
    pid: process.pid,
    origin,
    since: Date.now(),
    ...(config !== undefined && { config }),
  }
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(path, `${JSON.stringify(running)}\n`, { mode: 0o600 })
  } catch {
    return
  }
  process.once('exit', () => rmSync(path, { force: true }))
}

/**
 * The gateway of this user that the other commands mean where no address is given: one with the same configuration file,
 * and, where there is no such file, any. Of several the one started last. Files of gateways that were killed are removed.
 */
export async function findGateway(
  config: string | undefined,
  surroundings: Surroundings,
): Promise<RunningGateway | undefined> {
  const paths = filesIn(folderOf(surroundings))
  const read = paths.map((path) => ({ path, running: readRunning(path) }))
  const found = await Promise.all(read.map(async (one) => ({ ...one, isUp: await isUp(one.running) })))
  for (const { path, isUp } of found) if (!isUp) rmSync(path, { force: true })
  const alive = found.flatMap(({ running, isUp }) => (running !== undefined && isUp ? [running] : []))
  const newestFirst = alive.toSorted((one, other) => other.since - one.since)
  return newestFirst.find((one) => one.config === config) ?? (config === undefined ? newestFirst[0] : undefined)
}

/** Whether a gateway answers at an origin such as `http://127.0.0.1:8484`. */
export async function isDragoman(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/livez`, { signal: AbortSignal.timeout(1_000) })
    return (await response.text()) === '{"status":"live"}'
  } catch {
    return false
  }
}

async function isUp(running: RunningGateway | undefined): Promise<boolean> {
  return running !== undefined && isAlive(running.pid) && (await isDragoman(running.origin))
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).flatMap((name) => (/^\d+\.json$/.test(name) ? [join(folder, name)] : []))
  } catch {
    return []
  }
}

function readRunning(path: string): RunningGateway | undefined {
  try {
    const { pid, origin, since, config } = parseObject(readFileSync(path, 'utf8')) ?? {}
    if (typeof pid !== 'number' || typeof origin !== 'string' || typeof since !== 'number') return undefined
    return { pid, origin, since, ...(typeof config === 'string' && { config }) }
  } catch {
    return undefined
  }
}
