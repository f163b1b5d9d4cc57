import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import type { Surroundings } from '../../config/sources/surroundings.ts'

/** Where a program is, as a shell would find it. */
export function findProgram(
  name: string,
  { environment, workingDirectory, platform }: Surroundings,
): string | undefined {
  if (name.includes('/'))
    return isProgram(resolve(workingDirectory, name)) ? resolve(workingDirectory, name) : undefined
  const endings = platform === 'win32' ? ['.exe', '.cmd', ''] : ['']
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders
    .flatMap((folder) => endings.map((ending) => join(resolve(workingDirectory, folder), name + ending)))
    .find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
