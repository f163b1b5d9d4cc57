import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Config, loadConfig } from '../../config/load.ts'
import { GatewayError } from '../../errors.ts'
import { battery, batteryVersion } from '../../tune/battery/battery.ts'
import { measure, type Plan } from '../../tune/measure.ts'
import { findSubject, type Subject } from '../../tune/subject.ts'
import { type Summary, summarize } from '../../tune/summary.ts'
import { createAsk } from '../../tune/trial.ts'
import { settingsFor } from '../../tune/ways.ts'
import { defineVerb } from '../arguments.ts'
import { createUpstreams } from '../compose/upstreams.ts'
import { vocabulary } from '../compose/vocabulary.ts'
import { editConfig, entriesFor } from '../config/edit.ts'
import { discover } from '../discover.ts'
import { readVersion } from '../package.ts'
import { Refusal } from '../terminal/input.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { chooseWays, readBudget, readShare } from './options.ts'
import { printCategories, printChart, printParagraph, printRefusals, printStandings } from './print.ts'
import { printReport } from './report.ts'
import { createScreen } from './screen.ts'
import { openState, type State } from './state.ts'
import { chosenOf, printSettings, sayEnding, sayVerdict } from './words.ts'

export const tune = defineVerb({
  name: 'tune',
  summary: 'measure which tool format works best with your model',
  operands: '[MODEL]',
  maxOperands: 1,
  flags: {
    dialects: {
      type: 'text',
      value: 'A,B',
      help: 'formats to compare (default: those that fit the model; `native` counts as one)',
    },
    all: { type: 'switch', help: 'compare every format there is' },
    runs: {
      type: 'count',
      value: 'N',
      help: `how often each of the ${battery.length} tasks may come up, on average (default 5)`,
    },
    'max-requests': { type: 'count', value: 'N', help: 'stop after this many requests' },
    budget: { type: 'text', value: 'TIME', help: 'stop after this long: 90s, 30m, 2h' },
    parallel: { type: 'count', value: 'N', help: 'requests at once (default 1)' },
    margin: { type: 'text', value: 'POINTS', help: "a difference you don't mind, in percentage points (default 5)" },
    seed: { type: 'count', value: 'N', help: 'draw other tasks (default 1)' },
    upstream: { type: 'text', value: 'URL', help: 'URL of your model server (default: from your config, or found)' },
    config: { type: 'text', value: 'FILE', help: 'config file (default: dragoman.yaml)' },
    report: { type: 'text', value: 'FILE', help: 'write a report to look at in your browser, like report.html' },
    write: { type: 'switch', help: 'put the best choice into your config file, after a backup' },
    json: { type: 'switch', help: 'print the result as JSON' },
    state: { type: 'text', value: 'FILE', help: 'where to keep what was measured (default: in your state folder)' },
    fresh: { type: 'switch', help: 'start over instead of going on from earlier runs' },
  },
  details: [
    `Each of ${battery.length} kinds of tasks has one right answer: calls with certain arguments, or no call. Tasks are drawn at random and put to your model in every format still in the race. A format that is clearly worse drops out, and it ends as soon as the best one is certain.`,
    'Ctrl+C stops it and keeps what was measured. The same command goes on from there.',
  ],
  examples: [
    ['dragoman tune', 'measures the first model there is'],
    ['dragoman tune qwen3-coder --parallel 4 --report r.html', 'asks four at a time, and writes a report'],
    ['dragoman tune qwen3-coder --budget 20m --write', 'puts the best choice so far into your config after 20 minutes'],
  ],
  async run(flags, [name], terminal) {
    const { runs = 5, parallel = 1, seed = 1, json = false, write = false, all = false, fresh = false } = flags
    const [margin, budgetMs] = [readShare('margin', flags.margin ?? '5'), readBudget(flags.budget)]
    const config = await loadWithServers(flags, terminal)
    const upstreams = createUpstreams(config)
    const stop = new AbortController()
    const release = stopOnInterrupt(stop, terminal)
    try {
      const { models } = config.settings
      const subject = await findSubject({ upstreams, models, unnamed: config.unnamed }, name, stop.signal).catch(refuse)
      const model = subject.settings.name
      const ways = chooseWays({
        named: flags.dialects,
        all,
        model: subject.settings.model,
        takesNative: subject.takesNative,
        takesTemplate: subject.takesTemplate,
      })
      const identity = { model, place: subject.place, seed, battery: batteryVersion }
      const state = openState(identity, { path: flags.state, fresh }, terminal)
      const plan: Plan = {
        ways,
        seed,
        alpha,
        margin,
        maxRounds: runs * battery.length,
        maxRequests: flags['max-requests'] ?? Number.POSITIVE_INFINITY,
        deadline: performance.now() + budgetMs,
        parallel,
      }
      if (!json) terminal.complain(`${[...printParagraph(introduce(plan, subject, state)), ''].join('\n')}\n`)
      const summary = await watch(plan, subject, state, stop.signal, terminal)
      const result = { summary, setting: { model, margin, alpha }, state }
      terminal.write(json ? printJson(plan, subject, summary) : printResult(result, terminal))
      if (flags.report !== undefined) {
        const about = { ...result.setting, place: subject.place, seed, version: readVersion(), date: new Date() }
        writeFileSync(resolve(terminal.surroundings.workingDirectory, flags.report), printReport(summary, about))
        terminal.complain(`  Report: ${flags.report}\n`)
      }
      if (write) writeChoice(config, subject, summary, terminal)
      if (summary.ending.kind === 'interrupted') return 130
      return summary.recommendation.kind === 'none' || summary.ending.kind === 'trouble' ? 1 : 0
    } finally {
      release()
      await Promise.allSettled([...upstreams.values()].map((upstream) => upstream.close()))
    }
  },
})

const alpha = 0.05
const patienceMs = 1_500

async function loadWithServers(
  { config, upstream }: { readonly config?: string; readonly upstream?: string },
  terminal: Terminal,
): Promise<Config> {
  const loading = { flags: { config, upstream }, ...vocabulary, surroundings: terminal.surroundings }
  const written = loadConfig(loading)
  const nearby = await discover(written, terminal, { withinMs: patienceMs })
  nearby?.close()
  if (nearby === undefined) return written
  if (nearby.found.length === 0) {
    const remarks = nearby.remarks.map(({ says, fix }) => ` ${says} ${fix}`).join('')
    throw new Refusal(
      `No model server is running on this machine. Start one, or name it with --upstream URL.${remarks}`,
    )
  }
  return loadConfig({ ...loading, found: nearby.found })
}

function refuse(error: unknown): never {
  throw error instanceof GatewayError ? new Refusal(error.message) : error
}

/** The first Ctrl+C ends it in order, the second on the spot. */
function stopOnInterrupt(stop: AbortController, terminal: Terminal): () => void {
  return terminal.onInterrupt(() => {
    if (stop.signal.aborted) process.exit(130)
    stop.abort(new Error('interrupted'))
  })
}

function introduce({ ways, maxRounds, parallel }: Plan, { settings, place }: Subject, state: State): readonly string[] {
  const shown = ways.length > 12 ? `${ways.slice(0, 12).join(', ')} and ${ways.length - 12} more` : ways.join(', ')
  return [
    `Measuring ${settings.name} at ${place}${parallel > 1 ? `, ${parallel} requests at once` : ''}: ${shown}.`,
    `At most ${maxRounds} tasks each. Ctrl+C stops, and what was measured is kept.`,
    ...(state.before > 0
      ? [`Going on from ${state.before} answers measured since ${state.since}. --fresh starts over.`]
      : []),
  ]
}

async function watch(plan: Plan, subject: Subject, state: State, signal: AbortSignal, terminal: Terminal) {
  const now = (): number => performance.now()
  const screen = createScreen({ ways: plan.ways, maxRounds: plan.maxRounds, now }, terminal)
  try {
    const measured = await measure(plan, {
      ask: createAsk(subject, now),
      known: state.known,
      onTrial(trial) {
        state.add(trial)
        screen.count()
      },
      onRound: screen.show,
      now,
      wait: async (ms, aborted) => await setTimeout(ms, undefined, { signal: aborted }),
      signal,
    })
    return summarize(measured, plan.ways, plan.alpha)
  } finally {
    screen.close()
  }
}

interface Result {
  readonly summary: Summary
  readonly setting: { readonly model: string; readonly margin: number; readonly alpha: number }
  readonly state: State
}

function printResult({ summary, setting, state }: Result, { columns, paint }: Terminal): string {
  const chosen = chosenOf(summary.recommendation)
  const [verdict = '', ...reasons] = sayVerdict(summary, setting)
  return [
    ...printChart(summary, chosen, columns, paint),
    '',
    ...printStandings(summary, columns, paint),
    '',
    ...printCategories(summary, paint),
    '',
    ...printRefusals(summary, paint),
    ...printParagraph([verdict]).map((line) => paint('bold', line)),
    ...printParagraph([...reasons, ...sayEnding(summary, state)]),
    ...(chosen === undefined
      ? []
      : ['', ...printSettings(setting.model, chosen).map((line) => `    ${paint('cyan', line)}`)]),
    '',
    '',
  ].join('\n')
}

function printJson({ seed, margin, alpha: stated }: Plan, { settings, place }: Subject, summary: Summary): string {
  const { ending, rounds, requests, recommendation, standings } = summary
  const chosen = chosenOf(recommendation)
  const answer = {
    model: settings.name,
    server: place,
    seed,
    margin,
    confidence: 1 - stated,
    ending,
    tasks: rounds,
    requests,
    recommendation,
    ...(chosen !== undefined && { settings: settingsFor(chosen) }),
    standings,
  }
  return `${JSON.stringify(answer, undefined, 2)}\n`
}

function writeChoice(config: Config, { settings }: Subject, { recommendation }: Summary, terminal: Terminal): void {
  const chosen = chosenOf(recommendation)
  if (chosen === undefined) {
    terminal.complain('  Nothing was written, because nothing works.\n')
    return
  }
  const [service = ''] = settings.upstreams
  const path = config.file?.path ?? 'dragoman.yaml'
  editConfig(path, entriesFor(config, service, settings.name, settingsFor(chosen)), terminal)
}
