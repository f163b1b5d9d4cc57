import { packageFile } from '../place.ts'

/** The JSON Schema of the config file, beside the package's manifest. */
const schemaPath = packageFile('dragoman.schema.json')

/** What tells an editor what may stand in the file. */
export function schemaComment(): string {
  return `# yaml-language-server: $schema=${schemaPath}`
}
