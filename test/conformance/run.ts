import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findingsOf, printSeal } from './findings.ts'
import { judge, type Verdict } from './judge.ts'
import { printMarkdown, printReasons, printTally } from './report.ts'
import { expectationsOf, percent, printTable, scoreOf } from './table.ts'
import { readVectors } from './vector.ts'

/**
 * npm run conformance -- FILE… [--failures] [--reasons] [--markdown] [--format NAME] [--source NAME] [--json FILE]
 *
 * Reads every vector whole, in its recorded chunks, one character at a time and at random cuts, and compares calls
 * (numbers to the digit, keys in any order) and content (white space around it aside) with what the vector expects.
 * `--reasons` counts the differing rows by what explains them, `--markdown` prints `docs/conformance.md`.
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
console.log(`${printTable(verdicts)}\n\n${printTally(verdicts)}\n`)
if (flags.reasons) console.log(`${printReasons(verdicts)}\n`)
if (flags.failures) for (const verdict of verdicts) printFailure(verdict)
if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify(verdicts.flatMap(toDifference), null, 2)}\n`)

const truth = scoreOf(expectationsOf(verdicts))
const isMet =
  truth.calls >= wanted.calls && truth.content >= wanted.content && scoreOf(verdicts).cutting >= wanted.cutting
console.log(
  `wanted: calls ${percent(wanted.calls)}, content ${percent(wanted.content)} of A and B, cutting ${percent(1)} of all`,
)
process.exitCode = isMet ? 0 : 1

function printFailure(verdict: Verdict): void {
  for (const { id, format, tier, test, text, what, list, why, expected, got } of toDifference(verdict)) {
    console.log(`\n${id} ${format} ${tier} ${what}: ${test.slice(-120)}\n  ${list}: ${why}`)
    console.log(`  text     ${short(text)}\n  expected ${short(expected)}\n  got      ${short(got)}`)
    if (what !== 'cutting')
      console.log(`  notes    ${verdict.got.notes.join(' · ')}\n  seal     ${printSeal(verdict, what)}`)
  }
}

function toDifference(verdict: Verdict) {
  const { vector, cutting, got } = verdict
  const { id, source, format, tier, test, text } = vector
  const about = { id, source, format, tier, test, text }
  const findings = findingsOf(verdict)
  const difference = (what: 'calls' | 'content', expected: unknown) => {
    const finding = findings[what]
    if (finding === undefined) return []
    return [{ ...about, what, list: finding.ground.list, why: finding.why, expected, got: got[what] }]
  }
  return [
    ...difference('calls', vector.expected_calls),
    ...difference('content', vector.expected_content),
    ...(cutting === undefined
      ? []
      : [
          {
            ...about,
            what: 'cutting' as const,
            list: 'limit',
            why: 'The cutting matters.',
            expected: 'the whole',
            got: cutting,
          },
        ]),
  ]
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value.replaceAll('\n', '⏎') : JSON.stringify(value)
  return text.length > 400 ? `${text.slice(0, 250)} … ${text.slice(-140)}` : text
}
