import { fileURLToPath } from 'node:url'

/** A file of the package. The path holds for the sources (`src/cli`) and for the built program (`dist/cli`) alike. */
export function packageFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url))
}
