import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

/** One question or errand in one arm, and what came of it. */
export interface Outcome {
  readonly set: 'questions' | 'errands'
  readonly arm: string
  readonly id: string
  readonly category: string
  /** A call is the right answer. */
  readonly wanted: boolean
  readonly called: boolean
  readonly right: boolean
  readonly seconds: number
  readonly promptTokens?: number
  /** What was said where it was not right, shortened. */
  readonly said?: string
  /** Why there is no answer. */
  readonly failure?: string
}

export interface Kept {
  readonly outcomes: readonly Outcome[]
  find(set: Outcome['set'], arm: string, id: string): Outcome | undefined
  add(outcome: Outcome): void
}

/** Outcomes as they come, a line each, so that a run that was stopped goes on where it was. */
export function openKept(file: string, fresh = false): Kept {
  if (fresh) rmSync(file, { force: true })
  mkdirSync(dirname(file), { recursive: true })
  const outcomes = existsSync(file) ? readOutcomes(file) : []
  return {
    outcomes,
    find: (set, arm, id) => outcomes.find((one) => one.set === set && one.arm === arm && one.id === id),
    add(outcome) {
      outcomes.push(outcome)
      appendFileSync(file, `${JSON.stringify(outcome)}\n`)
    },
  }
}

export function readOutcomes(file: string): Outcome[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Outcome]))
}
