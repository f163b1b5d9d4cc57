import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { userStateFile } from '../../config/sources/file.ts'
import type { Surroundings } from '../../config/sources/surroundings.ts'
import type { Written } from '../edit/settings.ts'

/** What was written into a file for a client, oldest first. */
export interface Change extends Written {
  readonly client: string
  /** It stands in a project. */
  readonly shared: boolean
  readonly path: string
}

const name = 'connections.json'

/** What `connect --write` has written and not undone. */
export function readRecord(surroundings: Surroundings): readonly Change[] {
  const text = surroundings.readFile(userStateFile(surroundings, name))
  try {
    return text === undefined ? [] : (JSON.parse(text) as readonly Change[])
  } catch {
    return []
  }
}

export function keepRecord(surroundings: Surroundings, changes: readonly Change[]): void {
  const path = userStateFile(surroundings, name)
  if (changes.length === 0) return rmSync(path, { force: true })
  mkdirSync(dirname(path), { recursive: true })
  // Files as they were may hold keys.
  writeFileSync(path, JSON.stringify(changes), { mode: 0o600 })
}
