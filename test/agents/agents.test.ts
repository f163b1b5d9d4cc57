import { env } from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agents } from './agents.ts'
import { NotToBeHad } from './install.ts'
import { agentColumns, compareReads, mostOfSequential } from './matrix.ts'
import { performAbort, performErrand } from './perform.ts'
import { performWithSdk, sdks } from './sdks.ts'
import { type Column, native, startWorld, type World } from './world.ts'

/**
 * The short form of `npm run agents`: the libraries, and each agent once per mode; outside of continuous integration only
 * the two agents that start fast. They are installed from the registry into a folder of the user's cache when they are
 * first needed.
 */
const isQuick = ({ name }: { readonly name: string }) => ['pi', 'OpenCode'].includes(name)
const quick = env['CI'] === undefined ? agents.filter(isQuick) : agents
const largeBytes = 100_000
const installMs = 600_000
const runMs = 120_000

/** What the registry cannot give is a warning: it says nothing about the gateway. */
async function orWarn<T>(performed: Promise<T>): Promise<T | undefined> {
  try {
    return await performed
  } catch (error) {
    if (!(error instanceof NotToBeHad)) throw error
    console.warn(`warning: not tried. ${error.message}`)
    return undefined
  }
}

let world: World

beforeAll(async () => {
  world = await startWorld()
}, 60_000)

afterAll(() => world.stop())

test.each(sdks)(
  '$name does its errand',
  async (sdk) => {
    const verdicts = await orWarn(performWithSdk(world, sdk, agentColumns, largeBytes))
    if (verdicts === undefined) return
    expect([...verdicts].flatMap(([column, { faults }]) => faults.map((fault) => `${column}: ${fault}`))).toEqual([])
    expect(verdicts.size).toBe(agentColumns.length)
  },
  installMs,
)

describe.each(quick)('$name', (agent) => {
  // An agent that brings its own tools knows one mode only.
  const columns: readonly Column[] = agent.ownTools === true ? [native] : [native, 'hermes']
  test.each(columns)(
    'does its errand with %s',
    async (column) => {
      const verdict = await orWarn(performErrand(world, agent, column))
      if (verdict === undefined) return
      expect(verdict.faults).toEqual([])
      if (isQuick(agent)) expect(verdict.parallel).toBe(true)
    },
    installMs,
  )

  test(
    'leaves nothing running when it is interrupted',
    async () => {
      const verdict = await orWarn(performAbort(world, agent, columns.at(-1) ?? native))
      expect(verdict?.faults ?? []).toEqual([])
    },
    runMs,
  )
})

test.each([native, 'hermes'])(
  'three reads together take at most 60 % of three one by one (%s)',
  async (column) => {
    const pi = agents.find(({ name }) => name === 'pi')
    if (pi === undefined) throw new Error('pi is not among the agents.')
    const { togetherMs, oneByOneMs } = await compareReads(world, pi, column)
    expect(togetherMs / oneByOneMs).toBeLessThanOrEqual(mostOfSequential)
  },
  runMs,
)
