import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'

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
