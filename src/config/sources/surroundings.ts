import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'

/** The part of the machine the configuration depends on. Handed in everywhere, so that tests need no real one. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workingDirectory: string
  readonly homeDirectory: string
  readonly platform: string
  /** The text of a file; undefined when there is none. */
  readFile(path: string): string | undefined
}

export function surroundingsOfProcess(): Surroundings {
  return {
    // biome-ignore lint/style/noProcessEnv: the one place that reads it.
    environment: process.env,
    workingDirectory: process.cwd(),
    homeDirectory: homedir(),
    platform: process.platform,
    readFile(path) {
      try {
        return readFileSync(path, 'utf8')
      } catch (error) {
        if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
          return undefined
        throw error
      }
    },
  }
}

/** Where programs keep what they can make again at any time. */
export function userCacheFolder({ environment, homeDirectory, platform }: Surroundings): string {
  if (platform === 'win32') {
    const local = environment['LOCALAPPDATA'] || win32.join(homeDirectory, 'AppData', 'Local')
    return win32.join(local, 'dragoman', 'cache')
  }
  return posix.join(environment['XDG_CACHE_HOME'] || posix.join(homeDirectory, '.cache'), 'dragoman')
}
