import { type Config, loadConfig } from '../../config/load.ts'
import { ConfigError } from '../../config/problems.ts'
import { examine, type Subject } from '../../doctor/examine.ts'
import type { Examination, Finding } from '../../doctor/finding.ts'
import { defineVerb } from '../arguments.ts'
import { complainOfStore } from '../compose/store.ts'
import { createUpstreams } from '../compose/upstreams.ts'
import { vocabulary } from '../compose/vocabulary.ts'
import { editConfig, entriesFor } from '../config/edit.ts'
import { discover } from '../discover.ts'
import { findGateway } from '../running.ts'
import { Refusal } from '../terminal/input.ts'
import type { Terminal } from '../terminal/terminal.ts'
import {
  examineClock,
  examineConfig,
  examineNode,
  examinePort,
  examineProxy,
  examineTools,
  type MachineCheck,
} from './machine.ts'
import { createProgress, printExamination, printFindings, printVerdict } from './print.ts'

type MachineFinding = Finding<MachineCheck>

export const doctor = defineVerb({
  name: 'doctor',
  summary: 'check this machine, your config and every model server',
  flags: {
    config: { type: 'text', value: 'FILE', help: 'config file (default: dragoman.yaml here or in your config folder)' },
    upstream: { type: 'text', value: 'URL', help: 'check only the model server at this URL' },
    model: { type: 'text', value: 'NAME', help: 'model to test with (default: the first one of each server)' },
    discover: {
      type: 'text',
      value: 'WHERE',
      help: 'where to look for model servers when none is named: on, off, or ports like 8000,8080 (default on)',
    },
    json: { type: 'switch', help: 'print the findings as JSON' },
    write: {
      type: 'text',
      value: 'FILE',
      help: 'put what works best into this config file; the old one is kept as FILE.bak',
    },
  },
  details: [
    'Every claim is tested with real requests, about 20 short ones for each server. Exit code 0 means nothing is broken (there may be warnings), 1 that something is.',
  ],
  examples: [
    ['dragoman doctor', 'checks the servers in your config, or those running on this machine'],
    ['dragoman doctor --upstream http://127.0.0.1:8000', 'checks one server'],
    ['dragoman doctor --write dragoman.yaml', 'writes a config with what works best'],
  ],
  async run({ json = false, write, model, ...flags }, _operands, terminal) {
    const loading = { flags, ...vocabulary, surroundings: terminal.surroundings }
    const machine: MachineFinding[] = [examineNode()]
    const say = json ? () => undefined : (lines: readonly string[]) => terminal.write(`${lines.join('\n')}\n`)
    const config = await loadWithServers(loading, machine, terminal)
    const examinations: Examination[] = []
    if (config !== undefined) {
      const urls = [...config.settings.upstreams.values()].flatMap((one) => reachOf(one)?.url ?? [])
      const running = await findGateway(config.file?.path, terminal.surroundings)
      machine.push(
        await examinePort(config.settings.listen, running?.origin),
        await examineClock(urls),
        examineProxy(terminal, urls),
        ...(running === undefined ? [] : await examineTools(running.origin)),
      )
      const hasServers = [...config.settings.upstreams.values()].some(({ kind }) => kind !== 'rehearsal')
      if (!hasServers) machine.push(noServers)
    }
    say(['', `  ${terminal.paint('bold', 'This machine')}`, ...printFindings(machine, terminal.paint)])
    if (config !== undefined) {
      for await (const examination of examineAll(config, model, terminal)) {
        examinations.push(examination)
        say(printExamination(examination, terminal.paint))
      }
      const isLost = model !== undefined && examinations.length === 0 && !machine.includes(noServers)
      if (isLost) throw new Refusal(`No server has a model "${model}". Check the name, or leave out --model.`)
    }
    const all = [...machine, ...examinations.flatMap(({ findings }) => findings)]
    const isFine = all.every(({ verdict }) => verdict !== 'bad')
    say([
      '',
      `  ${printVerdict(
        all.map(({ verdict }) => verdict),
        terminal.paint,
      )}`,
      '',
    ])
    if (json) terminal.write(`${JSON.stringify({ fine: isFine, machine, services: examinations }, undefined, 2)}\n`)
    if (write !== undefined && config !== undefined) writeFindings(write, config, examinations, terminal)
    return isFine ? 0 : 1
  },
})

/** Longer than at a start, so that a busy server is found. */
const patienceMs = 1_500

const noServers: MachineFinding = {
  check: 'servers',
  verdict: 'bad',
  says: 'No model server is running on this machine, and none is set up.',
  fix: 'Start Ollama, LM Studio, vLLM, llama.cpp or another one. If it is elsewhere, name it with --upstream URL.',
}

/** The configuration with the servers that were found; undefined, with a finding, where it is not valid. */
async function loadWithServers(
  loading: Parameters<typeof loadConfig>[0],
  machine: MachineFinding[],
  terminal: Terminal,
): Promise<Config | undefined> {
  try {
    const written = loadConfig(loading)
    const nearby = await discover(written, terminal, { withinMs: patienceMs })
    nearby?.close()
    machine.push(examineConfig(written))
    const store = complainOfStore(written)
    if (store !== undefined) {
      machine.push({ check: 'config', verdict: 'bad', says: `sessions.store ${store.lack}`, fix: store.remedy })
    }
    for (const remark of nearby?.remarks ?? []) machine.push({ check: 'servers', verdict: 'warning', ...remark })
    return nearby === undefined ? written : loadConfig({ ...loading, found: nearby.found })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // A wrong flag is wrong usage, as everywhere.
    if (error.problems.some(({ where }) => where?.startsWith('--'))) throw error
    const fix = 'Correct the file. `dragoman config check` tells whether it is valid.'
    machine.push(
      ...error.message.split('\n').map((says): MachineFinding => ({ check: 'config', verdict: 'bad', says, fix })),
    )
    return undefined
  }
}

/** Where a service is, and with which key. */
function reachOf(settings: object): { readonly url: string; readonly key?: string } | undefined {
  const { url, key } = settings as { readonly url?: unknown; readonly key?: unknown }
  return typeof url === 'string' ? { url, ...(typeof key === 'string' && { key }) } : undefined
}

/** A server that does not say has it, for all that is known. */
async function hasModel({ models }: Pick<Subject['upstream'], 'models'>, model: string): Promise<boolean> {
  const listed = await models(AbortSignal.timeout(listingMs)).catch(() => undefined)
  return listed === undefined || listed.some(({ id }) => id === model)
}

const listingMs = 5_000

async function* examineAll(config: Config, model: string | undefined, terminal: Terminal): AsyncGenerator<Examination> {
  const upstreams = createUpstreams(config)
  const stop = new AbortController()
  const release = terminal.onInterrupt(() => stop.abort(new Error('interrupted')))
  const progress = createProgress(terminal)
  try {
    for (const [name, upstream] of upstreams) {
      const settings = config.settings.upstreams.get(name)
      if (settings === undefined || settings.kind === 'rehearsal') continue
      if (stop.signal.aborted) break
      const served = config.settings.models.filter(({ upstreams: serving }) => serving.includes(name))
      const named = model === undefined ? served[0] : served.find((one) => one.name === model || one.model === model)
      const isAsked = model === undefined || named !== undefined || upstreams.size === 1
      if (!isAsked && !(await hasModel(upstream, model))) continue
      const reach = settings.kind === 'openai' ? reachOf(settings) : undefined
      const subject = { upstream, model: named?.model ?? model, reach, settings: named ?? config.unnamed }
      const examination = await examine(subject, (doing) => progress.show(`${name}: ${doing}`), stop.signal)
      progress.clear()
      yield examination
    }
  } finally {
    progress.clear()
    release()
    await Promise.allSettled([...upstreams.values()].map((upstream) => upstream.close()))
  }
}

/** Puts what was found into a config file. */
function writeFindings(path: string, config: Config, examinations: readonly Examination[], terminal: Terminal): void {
  const entries = examinations.flatMap(({ service, model, advice }) => {
    if (config.shown.upstreams[service] === undefined || model === undefined || advice === undefined) return []
    return entriesFor(config, service, model, { ...advice })
  })
  editConfig(path, entries, terminal)
}
