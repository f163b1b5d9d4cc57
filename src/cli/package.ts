import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A file of the package. The path holds for the sources (`src/cli`) and for the built program (`dist/cli`) alike. */
export function packageFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url))
}

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

/** Tells an editor what may stand in a config file. */
export function schemaComment(): string {
  return `# yaml-language-server: $schema=${packageFile('dragoman.schema.json')}`
}
