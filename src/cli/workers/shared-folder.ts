import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'dragoman-traces-'

/** A folder for what several processes have in common while they run. */
interface SharedFolder {
  readonly path: string
  remove(): void
}

/**
 * Only its owner may look into it, and it goes when the program does. Those of programs that were killed, which could not
 * see to it themselves, go now. Undefined where nothing can be written.
 */
export function createSharedFolder(place = tmpdir()): SharedFolder | undefined {
  try {
    removeLeftovers(place)
    const path = mkdtempSync(join(place, `${prefix}${process.pid}-`))
    return { path, remove: () => remove(path) }
  } catch {
    return undefined
  }
}

function removeLeftovers(place: string): void {
  for (const name of readdirSync(place)) {
    const [, pid] = /^dragoman-traces-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) remove(join(place, name))
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // Somebody else's.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
