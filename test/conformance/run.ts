import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { judge, type Verdict } from './judge.ts'
import { fairShare, percent, printMarkdown, printReasons, share } from './report.ts'
import { readVectors } from './vector.ts'

/**
 * npm run conformance -- FILE… [--failures] [--reasons] [--markdown] [--format NAME] [--source NAME] [--json FILE]
 *
 * Reads every vector whole, in its recorded chunks, one character at a time and at random cuts, and compares calls
 * (numbers to the digit, keys in any order) and content (white space around it aside) with what the vector expects.
 * `--reasons` counts the differing rows by what explains them, `--markdown` prints them as `docs/conformance.md` lists them.
 */
const { values: flags, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    failures: { type: 'boolean', default: false },
    reasons: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    format: { type: 'string', multiple: true },
    source: { type: 'string', multiple: true },
    json: { type: 'string' },
  },
})

/** Tiers A and B are expectations; C is where engines disagree: only the cutting must not matter there. */
const wanted = { calls: 0.95, content: 0.92, cutting: 1 }

if (files.length === 0) {
  console.error(
    'Which vector files? npm run conformance -- FILE… [--failures] [--reasons] [--markdown] [--format NAME] [--source NAME] [--json FILE]',
  )
  process.exit(2)
}

const verdicts = files
  .flatMap(readVectors)
  .filter(({ format, source }) => (flags.format?.includes(format) ?? true) && (flags.source?.includes(source) ?? true))
  .map(judge)

if (flags.markdown) {
  console.log(printMarkdown(verdicts))
  process.exit()
}
printTable()
if (flags.reasons) console.log(`\n${printReasons(verdicts)}`)
if (flags.failures) for (const verdict of verdicts) printFailure(verdict)
if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify(verdicts.flatMap(toDifference), null, 2)}\n`)

const rows = verdicts.filter(({ vector }) => vector.tier !== 'C')
const truth = score(rows)
const isMet =
  truth.calls >= wanted.calls && truth.content >= wanted.content && score(verdicts).cutting >= wanted.cutting
console.log(
  `wanted: calls ${percent(wanted.calls)}, content ${percent(wanted.content)} of A and B, cutting ${percent(1)} of all`,
)
const fair = fairShare(rows)
console.log(
  `of the ${fair.rows} rows of A and B that contradict no promise: calls ${percent(fair.calls)}, content ${percent(fair.content)}`,
)
process.exitCode = isMet ? 0 : 1

function score(some: readonly Verdict[]) {
  return {
    rows: some.length,
    calls: share(some.map(({ calls }) => calls)),
    content: share(some.flatMap(({ content }) => (content === undefined ? [] : [content]))),
    cutting: share(some.map(({ cutting }) => cutting === undefined)),
  }
}

function printTable(): void {
  const groups = Map.groupBy(verdicts, ({ vector }) => `${vector.source.padEnd(12)} ${vector.format}`)
  console.log(`${'source       format'.padEnd(36)}  rows   calls  content  cutting`)
  for (const [group, some] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) printRow(group, some)
  printRow(
    'tiers A and B',
    verdicts.filter(({ vector }) => vector.tier !== 'C'),
  )
  printRow(
    'tier C',
    verdicts.filter(({ vector }) => vector.tier === 'C'),
  )
  printRow('all', verdicts)
}

function printRow(title: string, some: readonly Verdict[]): void {
  const { rows, calls, content, cutting } = score(some)
  const cells = [
    String(rows).padStart(6),
    percent(calls).padStart(8),
    percent(content).padStart(9),
    percent(cutting).padStart(9),
  ]
  console.log(title.padEnd(36) + cells.join(''))
}

function printFailure(verdict: Verdict): void {
  for (const { id, format, tier, test, text, what, expected, got } of toDifference(verdict)) {
    console.log(`\n${id} ${format} ${tier} ${what}: ${test.slice(-120)}`)
    console.log(`  text     ${short(text)}\n  expected ${short(expected)}\n  got      ${short(got)}`)
    if (what !== 'cutting') console.log(`  notes    ${verdict.got.notes.join(' · ')}`)
  }
}

function toDifference({ vector, calls, content, cutting, got }: Verdict) {
  const { id, source, format, tier, test, text } = vector
  const about = { id, source, format, tier, test, text }
  return [
    ...(calls ? [] : [{ ...about, what: 'calls', expected: vector.expected_calls, got: got.calls }]),
    ...(content === false ? [{ ...about, what: 'content', expected: vector.expected_content, got: got.content }] : []),
    ...(cutting === undefined ? [] : [{ ...about, what: 'cutting', expected: 'the whole', got: cutting }]),
  ]
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value.replaceAll('\n', '⏎') : JSON.stringify(value)
  return text.length > 400 ? `${text.slice(0, 250)} … ${text.slice(-140)}` : text
}
