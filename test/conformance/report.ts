import { type Findings, findingsOf, type Score } from './findings.ts'
import type { Comparison, Verdict } from './judge.ts'
import { type Finding, type Ground, grounds, limit } from './promises.ts'
import { expectationsOf, percent, printTable, scoreOf, share } from './table.ts'

const scores: readonly Score[] = ['calls', 'content']

interface Row extends Findings {
  readonly comparison: Comparison
}

function toRows(comparisons: readonly Comparison[]): readonly Row[] {
  return comparisons.map((comparison) => ({ comparison, ...findingsOf(comparison) }))
}

/** How many rows are right in a score, and on which list the others are. */
export function tally(comparisons: readonly Comparison[], score: Score) {
  const known = toRows(comparisons).filter(({ comparison }) => comparison[score] !== undefined)
  const on = (list: Ground['list']) => known.filter((row) => row[score]?.ground.list === list).length
  const right = known.map((row) => row[score] === undefined)
  const fair = known.filter((row) => row[score]?.ground.list !== 'contract').map((row) => row[score] === undefined)
  return {
    rows: known.length,
    right: right.filter(Boolean).length,
    raw: share(right),
    contract: on('contract'),
    decision: on('decision'),
    limit: on('limit'),
    /** Of the rows that contradict no line of the contract: decisions and limits count as lost. */
    fair: share(fair),
  }
}

export function printTally(verdicts: readonly Verdict[]): string {
  const rows = expectationsOf(verdicts)
  const [calls, content] = [tally(rows, 'calls'), tally(rows, 'content')]
  const line = (title: string, of: (some: typeof calls) => string) => `| ${title} | ${of(calls)} | ${of(content)} |`
  return [
    '| tiers A and B | calls | content |',
    '|---|--:|--:|',
    line('rows', ({ rows }) => String(rows)),
    line('as the row expects', ({ right, raw }) => `${right} (${percent(raw)})`),
    line('the row contradicts the contract', (some) => String(some.contract)),
    line('our own decision', (some) => String(some.decision)),
    line('our limit', (some) => String(some.limit)),
    line('right among the rows that do not contradict the contract', ({ fair }) => percent(fair)),
  ].join('\n')
}

interface Group {
  readonly score: Score
  readonly finding: Finding
  readonly rows: readonly Row[]
}

/** The differing rows by what they rest on and why, the largest groups first. */
function toGroups(rows: readonly Row[], ground: Ground): readonly Group[] {
  return scores.flatMap((score) => {
    const those = rows.filter((row) => row[score]?.ground === ground)
    return [...Map.groupBy(those, (row) => row[score]?.why).values()]
      .flatMap((some) => {
        const finding = some[0]?.[score]
        return finding === undefined ? [] : [{ score, finding, rows: some }]
      })
      .sort((a, b) => b.rows.length - a.rows.length)
  })
}

const all: readonly Ground[] = [...Object.values(grounds), limit]

export function printReasons(comparisons: readonly Comparison[]): string {
  const rows = toRows(comparisons)
  return all
    .flatMap((ground) => toGroups(rows, ground))
    .map(({ score, finding, rows: some }) =>
      [String(some.length).padStart(5), score.padEnd(7), finding.ground.list.padEnd(8), finding.why].join('  '),
    )
    .join('\n')
}

const headings = {
  contract: 'Where the row contradicts the contract',
  decision: 'Where we decided otherwise',
  limit: 'Our limits',
} as const

function printList(rows: readonly Row[], list: Ground['list']): string {
  const sections = all
    .filter((ground) => ground.list === list)
    .flatMap((ground) => {
      const lines = toGroups(rows, ground).map(printGroup)
      return lines.length === 0 ? [] : [`${printGround(ground)}${lines.join('\n')}`]
    })
  return [`## ${headings[list]}`, ...sections].join('\n\n')
}

function printGround({ list, says }: Ground): string {
  if (list === 'limit') return ''
  return list === 'contract' ? `> ${says}\n\n` : `[Decision ${Number(says.slice(0, 4))}](decisions/${says}.md)\n\n`
}

function printGroup({ score, finding, rows }: Group): string {
  const sources = Map.groupBy(rows, ({ comparison }) => comparison.vector.id.split(':')[0] ?? '')
  const lines = [...sources].map(([source, some]) => `${source} ${some.map(printNumber).join(', ')}`)
  const count = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}${finding.byHand ? ', listed by hand' : ''}`
  return `- **${score}**: ${finding.why} ${count}: ${lines.join('; ')}.`
}

function printNumber({ comparison: { vector } }: Row): string {
  return `${vector.id.split(':')[1]}${vector.tier === 'C' ? ' (C)' : ''}`
}

/** `docs/conformance.md`, whole. */
export function printMarkdown(verdicts: readonly Verdict[]): string {
  const rows = toRows(verdicts)
  const lists = (['contract', 'decision', 'limit'] as const).map((list) => printList(rows, list))
  return [
    introduction,
    `## The count\n\n${printRaw(verdicts)}\n\n${printTally(verdicts)}`,
    reading,
    ...lists,
    `## By source and format\n\n\`\`\`\n${printTable(verdicts)}\n\`\`\``,
  ].join('\n\n')
}

function printRaw(verdicts: readonly Verdict[]): string {
  const { calls, content } = scoreOf(expectationsOf(verdicts))
  const cutting = `every cutting gives the same in ${percent(scoreOf(verdicts).cutting)} of all ${verdicts.length} rows`
  return `Raw: **calls ${percent(calls)}, content ${percent(content)}** of tiers A and B are as expected; ${cutting}.`
}

const introduction = `# Conformance

Other engines test their parsers. We took those tests as data: what each one feeds the parser, and what it expects back. Our reader
gets each text whole, in its recorded chunks, one character at a time and at 20 random cuttings. Then calls (numbers to the
digit, keys in any order) and content (white space around it aside) are compared with what the row expects.

\`\`\`
npm run conformance -- FILE…               the tables
npm run conformance -- FILE… --reasons     how many rows differ, and why
npm run conformance -- FILE… --failures    each of them
npm run --silent conformance -- FILE… --markdown > docs/conformance.md
\`\`\`

The vector files are not part of this repository. Rows are named by file and line. Tier A is a literal expectation, B was put
together from a recorded stream, C is where engines disagree with each other, marked (C) below and not counted.

Rows without tools were recorded with parsers that take any name. In dialects whose marks are ordinary text, or whose mark is
the tool's name, our reader wants to know the tools: there the names of the expected calls are declared.`

const reading = `A row that differs is on one list for its calls and on one for its content:

1. **It contradicts the contract.** The row expects what a line of the contract forbids. The line is quoted.
2. **We decided otherwise.** The row would be right as well. The decision record is named.
3. **Our limit.** Everything else. A row that no rule claims is here.

Only the first list is left out of the last line of the table, and only for the score it concerns: decisions and limits
count as lost. The rules (\`test/conformance/call-findings.ts\`, \`test/conformance/content-findings.ts\`) look at the data of a row, never at
its number. No rule excuses a call we make that the row does not have, or a stray mark in the content. Such a call counts as a limit
unless the row was read and listed by hand in \`test/conformance/hand.ts\`, with the reason and a seal that breaks as soon as we
make something else of the row.`
