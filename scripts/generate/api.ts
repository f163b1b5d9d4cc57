import { type Declared, entries, type readDeclarations } from './declarations.ts'

const begin = '<!-- made by npm run generate -->'
const end = '<!-- end -->'

type Declarations = ReturnType<typeof readDeclarations>

/** Everything that can be imported, as it is declared: what changes here changes for users of the package. */
export function apiReport(declarations: Declarations): string {
  const parts = entries.map(({ name }) => {
    const texts = (declarations.get(name) ?? []).map(({ text }) => text)
    return `## ${name}\n\n\`\`\`ts\n${texts.join('\n\n')}\n\`\`\`\n`
  })
  return `# What can be imported\n\nMade by \`npm run generate\`; a test compares it.\n\n${parts.join('\n')}`
}

/** The page with its list of names made anew. */
export function withApi(page: string, declarations: Declarations): string {
  const [before = '', rest = ''] = page.split(begin)
  const [, after = ''] = rest.split(end)
  const lists = entries.map(({ name }) => toList(name, declarations.get(name) ?? []))
  return `${before}${begin}\n\n${lists.join('\n')}\n${end}${after}`
}

function toList(entry: string, declared: readonly Declared[]): string {
  const isType = ({ kind }: Declared): boolean => kind === 'interface' || kind === 'type'
  const rows = [...declared.filter((one) => !isType(one)), ...declared.filter(isType)].map(
    ({ name, kind, about }) =>
      `| \`${name}\` | ${isType({ kind } as Declared) ? 'type' : kind} | ${about.replaceAll('|', '\\|')} |`,
  )
  return `### \`${entry}\`\n\n| name | is a | what it is |\n|---|---|---|\n${rows.join('\n')}\n`
}
