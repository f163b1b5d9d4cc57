import { dialectNames, flavourNames } from '../../src/cli/compose.ts'
import { toConfigJsonSchema } from '../../src/config/schema.ts'

interface MadeFile {
  readonly path: string
  readonly text: string
}

/** The files that are made from the program itself, as they should be now. */
export function files(): readonly MadeFile[] {
  return [{ path: 'dragoman.schema.json', text: makeSchema() }]
}

/** For editors: what may stand in a config file. */
function makeSchema(): string {
  return `${JSON.stringify(toConfigJsonSchema(dialectNames, flavourNames), undefined, 2)}\n`
}
