import { readFileSync } from 'node:fs'
import { packageFile } from './place.ts'

interface Manifest {
  readonly version: string
  readonly engines: { readonly node: string }
}

/** The package's own manifest. */
export function readManifest(): Manifest {
  return JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as Manifest
}

export function readVersion(): string {
  return readManifest().version
}
