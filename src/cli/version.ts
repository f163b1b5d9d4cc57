import { readFileSync } from 'node:fs'

/** The package's version. The path holds for the sources and for the built package alike. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return version
}
