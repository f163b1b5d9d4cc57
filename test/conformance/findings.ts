import { createHash } from 'node:crypto'
import { explainCalls, isInvented } from './call-findings.ts'
import { explainContent } from './content-findings.ts'
import { readByHand } from './hand.ts'
import type { Comparison } from './judge.ts'
import { type Finding, limit } from './promises.ts'

export type Score = 'calls' | 'content'
export type Findings = { readonly [score in Score]: Finding | undefined }

/** What each score of a row rests on; undefined where it does not differ. What nothing explains is our limit. */
export function findingsOf(row: Comparison): Findings {
  const calls = row.calls ? undefined : callsOf(row)
  return { calls, content: row.content === false ? contentOf(row, calls) : undefined }
}

function callsOf(row: Comparison): Finding {
  const found = fromHand(row, 'calls') ?? (isInvented(row) ? undefined : explainCalls(row))
  return found ?? { ground: limit, why: lackOfCalls(row) }
}

function contentOf(row: Comparison, calls: Finding | undefined): Finding {
  const ground = calls?.ground === limit ? undefined : calls?.ground
  return fromHand(row, 'content') ?? explainContent(row, ground) ?? { ground: limit, why: lackOfContent(row) }
}

function lackOfCalls(row: Comparison): string {
  if (isInvented(row)) return 'We make a call that the row does not have.'
  const isFewer = row.got.calls.length < row.vector.expected_calls.length
  return isFewer ? 'We miss a call.' : 'We read a value differently.'
}

function lackOfContent({ vector, got }: Comparison): string {
  const expected = (vector.expected_content ?? '').trim().length
  return got.content.trim().length > expected ? 'We show more.' : 'We show less, or something else.'
}

/** Names a row and what we made of it: a row that was read by hand is excused only while both are the same. */
export function printSeal({ vector, got }: Comparison, score: Score): string {
  const seal = createHash('sha256')
    .update(JSON.stringify([vector.text, got[score]]))
    .digest('hex')
  return `${vector.id}@${seal.slice(0, 6)}`
}

const byRow: ReadonlyMap<string, Finding> = new Map(
  readByHand.flatMap(({ score, ground, why, rows }) =>
    rows
      .trim()
      .split(/\s+/)
      .map((row) => [`${score} ${row}`, { ground, why, byHand: true }] as const),
  ),
)

function fromHand(row: Comparison, score: Score): Finding | undefined {
  return byRow.get(`${score} ${printSeal(row, score)}`)
}
