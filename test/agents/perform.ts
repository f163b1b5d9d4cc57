import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { runDragoman } from '../dragoman.ts'
import { type Agent, furnish, type Launch, type Scene, signIn } from './agents.ts'
import { type Installed, installNewest, NotToBeHad, programPath } from './install.ts'
import type { Performance } from './model.ts'
import { argumentsIn, findFaults, textIn } from './never.ts'
import { createErrand, createReads, createStall, judgeErrand, type Plot, writesOf } from './plot.ts'
import type { Exchange } from './recorder.ts'
import { type Column, modelNameFor, native, type World } from './world.ts'

export interface Verdict {
  readonly faults: readonly string[]
  readonly seconds: number
  readonly parallel: boolean
}

const runMs = 180_000
const largeBytes = 100_000
/** A quick answer of a real model. */
const thinksMs = 1000

const had = new Map<string, Installed | NotToBeHad>()

/** The agent, looked for once a run. Throws where it cannot be had. */
export function haveInstalled({
  packages,
  installOptions = [],
  needs = [],
}: Pick<Agent, 'packages' | 'installOptions' | 'needs'>): Installed {
  const name = packages.join(' ')
  const known = had.get(name) ?? tryInstall({ packages, options: installOptions, needs })
  had.set(name, known)
  if (known instanceof NotToBeHad) throw known
  return known
}

function tryInstall(wanted: Parameters<typeof installNewest>[0]): Installed | NotToBeHad {
  try {
    return installNewest(wanted)
  } catch (error) {
    if (error instanceof NotToBeHad) return error
    throw error
  }
}

/** The whole errand, by one agent with one model. */
export async function performErrand(world: World, agent: Agent, column: Column): Promise<Verdict> {
  const startedMs = performance.now()
  const scene = await prepare(world, agent, column, (id, work) => createErrand(id, work, largeBytes))
  const ended = await run(scene.launch, scene)
  const exchanges = world.recorder.exchangesOf(scene.plot.id)
  const faults = [
    ...judgeErrandRun(exchanges, scene.performance, agent, column, agent.answer(ended.out)),
    ...(agent.usage === undefined || agent.usage.test(ended.out)
      ? []
      : ['the usage it shows is not what the model counted']),
    ...(ended.code === 0
      ? []
      : [`it ended with ${ended.code ?? 'a signal'}: ${(ended.complaints || ended.out).slice(-300)}`]),
  ]
  return { faults, seconds: (performance.now() - startedMs) / 1000, parallel: scene.performance.parallel }
}

/** Three independent reads, together or one by one: how long from the first request to the last byte. */
export async function timeReads(world: World, agent: Agent, column: Column, together: boolean): Promise<number> {
  const scene = await prepare(world, agent, column, (id, work) => createReads(id, work, together, thinksMs))
  const { out } = await run(scene.launch, scene)
  if (!out.includes('All three were read')) throw new Error(`${agent.name} did not read all three: ${out.slice(-300)}`)
  return spanOf(world.recorder.exchangesOf(scene.plot.id))
}

function spanOf(exchanges: readonly Exchange[]): number {
  const turns = exchanges.filter(({ asked }) => JSON.stringify(asked).includes('"tools"'))
  return Math.max(...turns.map(({ endedMs }) => endedMs)) - Math.min(...turns.map(({ startedMs }) => startedMs))
}

/** The agent is interrupted in the middle of a call, and killed if it does not listen: nothing may go on upstream. */
export async function performAbort(world: World, agent: Agent, column: Column): Promise<Verdict> {
  const startedMs = performance.now()
  const scene = await prepare(world, agent, column, createStall)
  const already = world.model.double.requests.length
  const launched = start(scene.launch, scene)
  await within(Promise.race([scene.performance.stalled, launched.ended]), runMs)
  launched.interrupt()
  await within(launched.ended, 3000)
  launched.kill()
  await launched.ended
  const asked = world.model.double.requests.slice(already).filter(({ method }) => method === 'POST')
  const over = await within(Promise.all(asked.map((request) => request.over)), 1000)
  const faults = [...findFaults(world.recorder.exchangesOf(scene.plot.id))]
  if (world.recorder.exchangesOf(scene.plot.id).length === 0) faults.push('it did not ask where it was told to')
  if (over === undefined) faults.push('a request still ran upstream 1 s after the agent had gone')
  else if (!over.includes('aborted')) faults.push('no answer was under way when it was interrupted')
  return { faults, seconds: (performance.now() - startedMs) / 1000, parallel: false }
}

/** Everything that is wrong with an errand: what the model missed, what is on disk, what went over the wire. */
export function judgeErrandRun(
  exchanges: readonly Exchange[],
  performance: Performance,
  agent: Pick<Agent, 'ownTools' | 'rewrites'>,
  column: Column,
  answer: string,
): readonly string[] {
  const { plot, complaints } = performance
  return [
    ...complaints.map((complaint) => `the model: ${complaint}`),
    ...judgeErrand(plot, answer, agent.rewrites),
    ...judgeWrites(exchanges, plot),
    ...judgeExchanges(exchanges, performance, agent, column),
  ]
}

function judgeExchanges(
  exchanges: readonly Exchange[],
  performance: Performance,
  agent: Pick<Agent, 'ownTools'>,
  column: Column,
): readonly string[] {
  const faults = [...findFaults(exchanges)]
  const modes = new Set(exchanges.flatMap(({ headers }) => headers['x-dragoman-mode'] ?? []))
  const taught = agent.ownTools === true ? 'own' : column
  if (![...performance.taught].every((name) => name === taught)) {
    faults.push(`the model was taught ${[...performance.taught].join(', ')} instead of ${taught}`)
  }
  const mode = agent.ownTools === true ? 'none' : column === native ? 'native' : 'prompt'
  if (!modes.has(mode)) faults.push(`no answer was made in mode ${mode}`)
  faults.push(...judgeWords(exchanges, performance, agent.ownTools === true))
  // What the legacy Cline says of a call it cannot find again.
  if (exchanges.some(({ asked }) => JSON.stringify(asked).includes('"result missing"')))
    faults.push('a result went missing')
  // A client that leaves its conversation with the service is told when it is not there, and sends it whole.
  const refused = exchanges.find(({ status, answered }) => status >= 400 && !answered.includes('thread_not_found'))
  if (refused !== undefined) {
    faults.push(`refused with ${refused.status}: ${refused.answered.slice(0, 200)}`)
  }
  return faults
}

/** Every byte of what is written stood in the arguments, whatever the agent then made of it. */
function judgeWrites(exchanges: readonly Exchange[], plot: Plot): readonly string[] {
  const sent = exchanges.flatMap((exchange) => [textIn(exchange), ...argumentsIn(exchange).flatMap(stringsIn)])
  const missing = writesOf(plot).filter(({ content }) => !sent.some((text) => text.includes(content)))
  // A tool that takes little at once gets a long text in parts; the file shows whether they add up.
  const whole = missing.filter(({ content }) => !sent.some((text) => text.length > 1000 && content.startsWith(text)))
  return whole.map(({ path }) => `${path} did not arrive at the agent as the model wrote it`)
}

/** The client read the model's words, no more and no less: no mark of a call is among them. */
function judgeWords(exchanges: readonly Exchange[], { prose }: Performance, ownTools: boolean): readonly string[] {
  const heard = exchanges.map((exchange) => textIn(exchange).trim()).filter((text) => text !== '')
  const known = new Set([...prose, 'An errand.'])
  const strange = heard.find((text) => !known.has(text) && !(ownTools && /^[^<]*<(\w+)>[\s\S]*<\/\1>$/.test(text)))
  return strange === undefined
    ? []
    : [`the client read what the model did not say: ${JSON.stringify(strange.slice(0, 200))}`]
}

function stringsIn(json: string): readonly string[] {
  try {
    return Object.values(JSON.parse(json) as Record<string, unknown>).filter((value) => typeof value === 'string')
  } catch {
    return []
  }
}

interface Prepared extends Scene {
  readonly launch: Launch
  readonly plot: Plot
  readonly performance: Performance
}

async function prepare(
  world: World,
  agent: Agent,
  column: Column,
  write: (id: string, work: string) => Plot,
): Promise<Prepared> {
  const { folder: installed } = haveInstalled(agent)
  const id = world.nextId()
  const home = join(world.folder, id, 'home')
  const work = join(world.folder, id, 'work')
  mkdirSync(home, { recursive: true })
  furnish(agent, work)
  const plot = write(id, work)
  const model = modelNameFor(agent.ownTools === true ? native : column, agent.modelPrefix)
  const url = world.recorder.urlFor(id)
  const scene = { home, work, model, prompt: `Please do the ${id} now`, installed }
  const connected = await runDragoman(
    ['connect', agent.client, '--url', url, '--model', model, '--key', 'test-key', '--write', '--json'],
    { folder: work, environment: { HOME: home, XDG_CONFIG_HOME: join(home, '.config') } },
  )
  if (connected.code !== 0) throw new Error(`dragoman connect ${agent.client}: ${connected.complaints}`)
  await run({ command: 'git', args: ['init', '-q'] }, scene)
  const { hints } = JSON.parse(connected.out) as { hints: readonly string[] }
  const first = signIn(agent, scene, hints)
  if (first !== undefined) await run(first, scene)
  return { ...scene, launch: agent.launch(scene), plot, performance: world.model.stage(plot) }
}

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly complaints: string
}

async function run(launch: Launch, scene: Scene): Promise<Ended> {
  const launched = start(launch, scene)
  const ended = await within(launched.ended, runMs)
  if (ended !== undefined) return ended
  launched.kill()
  const { out, complaints } = await launched.ended
  return { code: null, out, complaints: `it took longer than ${runMs / 1000} s; ${complaints.slice(-200)}` }
}

function start({ command, args, environment = {} }: Launch, { home, work }: Scene) {
  const env = { PATH: programPath, TERM: 'dumb', HOME: home, ...environment }
  // A group of its own, so that nothing it started outlives the test.
  const child = spawn(command, args, { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let out = ''
  let complaints = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    out += piece
  })
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    complaints += piece
  })
  const signal = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name)
    } catch {
      // It is gone already.
    }
  }
  const ended = new Promise<Ended>((done) => {
    child.on('error', (error) => done({ code: null, out, complaints: error.message }))
    child.on('close', (code) => done({ code, out, complaints }))
    child.on('exit', () => signal('SIGKILL'))
  })
  return { ended, interrupt: () => signal('SIGINT'), kill: () => signal('SIGKILL') }
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((done) => {
    timer = setTimeout(done, ms, undefined)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
