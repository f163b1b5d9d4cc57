import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A folder for what several processes have in common while they run: only its owner may look into it. Those of programs that
 * were killed, which could not remove them, go now. Undefined where nothing can be written.
 */
export function createSharedFolder(place = tmpdir()) {
  try {
    for (const name of readdirSync(place)) {
      const pid = /^dragoman-traces-(\d+)-/.exec(name)?.[1]
      if (pid !== undefined && !isAlive(Number(pid))) remove(join(place, name))
    }
    const path = mkdtempSync(join(place, `dragoman-traces-${process.pid}-`))
    return { path, remove: () => remove(path) }
  } catch {
    return undefined
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // Of another user.
  }
}

/** Whether a process runs, of this user or another. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
