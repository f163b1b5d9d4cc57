import { describeDialects } from '../../src/cli/compose/vocabulary.ts'
import { type Dialect, hasFaintMarks, hasNameMarks } from '../../src/dialects/dialect.ts'
import { dialects } from '../../src/dialects/registry.ts'

/** `docs/dialects.md`: every dialect, its models and an example, as its own grammar prints it. */
export function makeDialects(): string {
  const examples = new Map(describeDialects().map(({ name, example }) => [name, example]))
  const sections = dialects.map((dialect) => sectionOf(dialect, examples.get(dialect.name) ?? ''))
  return `# Dialects

A dialect is a format in which a model writes tool calls as text. When tools go into the prompt, Dragoman teaches the model one of
these ${dialects.length} and reads it back while it streams. [How mode and dialect are chosen](choosing.md) explains when that happens and how to
set it yourself. This page is made from the program (\`npm run generate\`).

Every example below is the same call: \`read_file\` with the path \`README.md\`. \`dragoman dialects NAME\` prints one of them, and
\`dragoman prompt --request FILE --dialect NAME\` shows all that a model is told.

| dialect | models |
|---|---|
${dialects.map(({ name, models }) => `| [\`${name}\`](#${anchorOf(name)}) | ${models} |`).join('\n')}

${sections.join('\n')}`
}

function sectionOf(dialect: Dialect, example: string): string {
  const { name, models, speaks, grammar } = dialect
  const facts = [
    speaks === undefined ? undefined : 'Chosen by these names, where no chat template says more.',
    grammar.single === true ? 'One call per reply.' : undefined,
    grammar.arguments.as === 'yaml' ? 'Arguments arrive in one piece, at the end.' : undefined,
    readWhen(dialect),
  ]
  const fence = '`'.repeat(Math.max(3, ...[...example.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `## ${name}

For ${models}. ${facts.filter((fact) => fact !== undefined).join(' ')}

${fence}text
${example.trimEnd()}
${fence}
`
}

function readWhen({ grammar }: Dialect): string {
  const atEnd = 'At the end of an answer it is read whichever dialect was taught, if it fits a tool.'
  if (hasNameMarks(grammar)) {
    const names = "The tools' own names are the marks, so other names stay text."
    return grammar.isFallback === true ? `${names} ${atEnd}` : names
  }
  if (hasFaintMarks(grammar)) {
    const faint = 'Its marks are ordinary text, so it is read only where it was taught.'
    return grammar.isFallback === true ? `Its marks are ordinary text. ${atEnd}` : faint
  }
  return 'Its marks are unmistakable, so such a call is read whichever dialect was taught.'
}

/** As repository pages and the site make them of headings. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll('.', '')
}
