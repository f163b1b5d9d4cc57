import { readFileSync } from 'node:fs'

interface Manifest {
  readonly version: string
  readonly engines: { readonly node: string }
}

/** The package's own manifest. The path holds for the sources and for the built package alike. */
export function readManifest(): Manifest {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Manifest
}

export function readVersion(): string {
  return readManifest().version
}
