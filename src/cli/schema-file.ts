import { fileURLToPath } from 'node:url'

/** The JSON Schema of the config file, beside the package's manifest. The path holds for sources and package alike. */
const schemaPath = fileURLToPath(new URL('../../dragoman.schema.json', import.meta.url))

/** What tells an editor what may stand in the file. */
export function schemaComment(): string {
  return `# yaml-language-server: $schema=${schemaPath}`
}
