import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { userStateFile } from '../../config/sources/file.ts'
import { parseObject } from '../../protocol/json.ts'
import type { Trial } from '../../tune/trial.ts'
import type { Way } from '../../tune/ways.ts'
import { Refusal } from '../terminal/input.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** What was measured, line by line: a run that ends early is gone on with, and nothing is asked twice. */
export interface State {
  readonly path: string
  /** Of earlier runs. */
  readonly before: number
  /** In all. */
  readonly answers: number
  /** When the first run began. */
  readonly since: string
  known(round: number, way: Way): Trial | undefined
  add(trial: Trial): void
}

/** What makes two measurements the same. */
export interface Identity {
  readonly model: string
  readonly place: string
  readonly seed: number
  readonly battery: number
}

interface Where {
  /** As the user named it. */
  readonly path?: string | undefined
  /** Whatever is there is put aside. */
  readonly fresh: boolean
}

export function openState(identity: Identity, { path: named, fresh }: Where, terminal: Terminal): State {
  const { workingDirectory } = terminal.surroundings
  const path = named === undefined ? usualPath(identity.model, terminal) : resolve(workingDirectory, named)
  const trials = new Map<string, Trial>()
  const read = existsSync(path) ? readState(path) : undefined
  const isSame = read !== undefined && Object.entries(identity).every(([key, value]) => read.head[key] === value)
  if (read !== undefined && named !== undefined && read.head['kind'] !== kind) {
    throw new Refusal(`${named} is not a file of \`dragoman tune\`. Name another one with --state.`)
  }
  const since = isSame && !fresh ? String(read.head['since']) : new Date().toISOString().slice(0, 10)
  if (isSame && !fresh) {
    for (const trial of read.trials) trials.set(keyOf(trial.round, trial.way), trial)
    if (!read.isWhole) appendFileSync(path, '\n')
  } else {
    mkdirSync(dirname(path), { recursive: true })
    if (read !== undefined) renameSync(path, `${path}.old`)
    writeFileSync(path, `${JSON.stringify({ kind, ...identity, since })}\n`)
  }
  const before = trials.size
  return {
    path,
    before,
    get answers() {
      return trials.size
    },
    since,
    known: (round, way) => trials.get(keyOf(round, way)),
    add(trial) {
      trials.set(keyOf(trial.round, trial.way), trial)
      appendFileSync(path, `${JSON.stringify(trial)}\n`)
    },
  }
}

const kind = 'dragoman-tune'

const keyOf = (round: number, way: Way): string => `${round} ${way}`

function usualPath(model: string, { surroundings }: Terminal): string {
  return userStateFile(surroundings, join('tune', `${model.replace(/[^\w.-]+/g, '_')}.jsonl`))
}

/** The last line may be cut off: the run that wrote it was killed. */
function readState(path: string) {
  const text = readFileSync(path, 'utf8')
  const lines: readonly object[] = text
    .split('\n')
    .map(parseObject)
    .filter((line) => line !== undefined)
  const [head = {}, ...others] = lines
  return {
    head: head as Readonly<Record<string, unknown>>,
    trials: others.filter(isTrial),
    isWhole: text.endsWith('\n'),
  }
}

function isTrial(line: object): line is Trial {
  const { round, way, done, repairs, totalMs } = line as Readonly<Record<string, unknown>>
  return (
    typeof round === 'number' &&
    typeof way === 'string' &&
    typeof done === 'boolean' &&
    Array.isArray(repairs) &&
    typeof totalMs === 'number'
  )
}
