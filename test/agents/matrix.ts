import { dialects } from '../../src/dialects/registry.ts'
import { type Agent, agents } from './agents.ts'
import { type Installed, NotToBeHad } from './install.ts'
import { haveInstalled, performAbort, performErrand, timeReads, type Verdict } from './perform.ts'
import { performWithSdk, sdkInstalled, sdks } from './sdks.ts'
import { type Column, native, type World } from './world.ts'

/** The dialects every agent is tried with; the libraries are tried with all there are. */
export const agentColumns: readonly Column[] = [native, 'hermes', 'roo-xml', 'xml-name-args', 'qwen3-coder']

export interface Row {
  readonly name: string
  readonly cells: ReadonlyMap<string, Verdict>
  /** Why it was not tried: it cannot be had from the registry. */
  readonly missing?: string
}

/** A row for what was tried, or one that says it cannot be had. */
async function rowOf(name: string, have: () => Installed, perform: () => Promise<Row['cells']>): Promise<Row> {
  try {
    const { version } = have()
    return { name: `${name} ${version}`, cells: await perform() }
  } catch (error) {
    if (error instanceof NotToBeHad) return { name, cells: new Map(), missing: error.message }
    throw error
  }
}

const largeBytes = 100_000

export async function runSdks(
  world: World,
  columns: readonly Column[],
  wanted: (name: string) => boolean,
  tell: (row: Row) => void,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const sdk of sdks.filter(({ name }) => wanted(name))) {
    const row = await rowOf(
      sdk.name,
      () => sdkInstalled(sdk),
      () => performWithSdk(world, sdk, columns, largeBytes),
    )
    tell(row)
    rows.push(row)
  }
  return rows
}

export const everyColumn: readonly Column[] = [native, ...dialects.map(({ name }) => name)]

export async function runAgents(
  world: World,
  columns: readonly Column[],
  aborts: readonly Column[],
  wanted: (name: string) => boolean,
  tell: (row: Row) => void,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const agent of agents.filter(({ name }) => wanted(name))) {
    const own = agent.ownTools === true
    const perform = async () => {
      const cells = new Map<string, Verdict>()
      for (const column of own ? [native] : columns) {
        cells.set(own ? 'own' : column, await judged(() => performErrand(world, agent, column)))
      }
      for (const column of own ? [native] : aborts) {
        cells.set(`abort ${own ? 'own' : column}`, await judged(() => performAbort(world, agent, column)))
      }
      return cells
    }
    const row = await rowOf(agent.name, () => haveInstalled(agent), perform)
    tell(row)
    rows.push(row)
  }
  return rows
}

/** What cannot even be started is a fault with a reason, and the rest goes on. */
async function judged(act: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await act()
  } catch (error) {
    return { faults: [error instanceof Error ? error.message : String(error)], seconds: 0, parallel: false }
  }
}

export interface Reads {
  readonly name: string
  readonly togetherMs: number
  readonly oneByOneMs: number
}

/** Three independent reads, together and one by one. */
export async function compareReads(world: World, agent: Agent, column: Column): Promise<Reads> {
  const oneByOneMs = await timeReads(world, agent, column, false)
  const togetherMs = await timeReads(world, agent, column, true)
  return { name: `${agent.name}, ${column}`, togetherMs, oneByOneMs }
}

/** Of the time one by one, the most that three reads together may take. */
export const mostOfSequential = 0.6

/** The rows as a table, and under it what went wrong. */
export function printMatrix(rows: readonly Row[], columns: readonly string[]): string {
  const shown = columns.filter((column) => rows.some(({ cells }) => cells.has(column)))
  const others = rows.map(({ cells }) => [...cells].filter(([column]) => !shown.includes(column)))
  const hasOthers = others.some((list) => list.length > 0)
  const lines = rows.map(({ name, cells }, at) => [
    name,
    ...shown.map((column) => printCell(cells.get(column))),
    ...(hasOthers ? [printCount(others[at] ?? [])] : []),
    [...cells.values()].some(({ parallel }) => parallel) ? 'yes' : 'no',
  ])
  const faults = rows.flatMap(({ name, cells }) =>
    [...cells].flatMap(([column, { faults: list }]) => list.map((fault) => `${name}, ${column}: ${fault}`)),
  )
  const table = [['', ...shown, ...(hasOthers ? ['other dialects'] : []), 'parallel'], ...lines]
  const missing = rows.flatMap(({ name, missing: why }) => (why === undefined ? [] : [`${name}: not tried. ${why}`]))
  return [...alignColumns(table), ...faults, ...missing].join('\n')
}

function printCell(verdict: Verdict | undefined): string {
  if (verdict === undefined) return '–'
  return verdict.faults.length === 0 ? `ok ${verdict.seconds.toFixed(1)}s` : 'FAILED'
}

function printCount(cells: readonly (readonly [string, Verdict])[]): string {
  const fine = cells.filter(([, { faults }]) => faults.length === 0).length
  return cells.length === 0 ? '–' : `${fine === cells.length ? 'ok' : 'FAILED'} ${fine}/${cells.length}`
}

function alignColumns(table: readonly (readonly string[])[]): readonly string[] {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
