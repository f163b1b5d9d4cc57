import { vocabulary } from '../../src/cli/compose/vocabulary.ts'
import { loadAll, verbs } from '../../src/cli/verbs.ts'
import { toConfigJsonSchema } from '../../src/config/schema.ts'
import { makeDialects } from './dialects.ts'
import { printKeys } from './keys.ts'
import { makeNotes } from './notes.ts'
import { variables } from './variables.ts'

interface MadeFile {
  readonly path: string
  readonly text: string
}

const schema = toConfigJsonSchema(vocabulary)
const loaded = await loadAll(verbs)

/** The files that are made from the program itself, as they should be now. */
export function files(): readonly MadeFile[] {
  return [
    // For editors: what may stand in a config file.
    { path: 'dragoman.schema.json', text: `${JSON.stringify(schema, undefined, 2)}\n` },
    { path: 'docs/reference.md', text: makeReference() },
    { path: 'docs/dialects.md', text: makeDialects() },
    { path: 'docs/notes.md', text: makeNotes() },
  ]
}

function makeReference(): string {
  return `# Reference

Every command, option, environment variable and config key. This page is made from the program (\`npm run generate\`).

Options beat environment variables, which beat the config file. Exit codes: 0 fine, 1 what you asked about isn't fine, 2 wrong usage.

## Commands

${loaded.map(({ name, help }) => `### \`dragoman ${name}\`\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`).join('\n')}
## Environment variables

| variable | what it does |
|---|---|
${variables.map(({ name, does }) => `| \`${name}\` | ${does} |`).join('\n')}

Any other name can hold a secret: write \`env:NAME\` in the config file.

## Config file

\`dragoman.yaml\` (or \`dragoman.yml\`, \`dragoman.json\`) in the working directory, else in the folder \`dragoman\` of your config folder.
\`dragoman init\` writes one, \`dragoman config check\` checks it, and
[dragoman.schema.json](../dragoman.schema.json) in the package tells your editor what may stand in it.

${printKeys(schema)}`
}
