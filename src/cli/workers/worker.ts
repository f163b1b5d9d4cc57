import cluster from 'node:cluster'
import { loadConfig } from '../../config/load.ts'
import { createLog } from '../../server/telemetry/log.ts'
import { startService } from '../compose/compose.ts'
import type { Shared, WorkerService } from '../compose/service.ts'
import { vocabulary } from '../compose/vocabulary.ts'
import { readVersion } from '../package.ts'
import { gatherLines } from '../serve/gathered.ts'
import { terminalOfProcess } from '../terminal/terminal.ts'
import type { Briefing, SupervisorCalls, WorkerCalls } from './calls.ts'
import { connect } from './rpc.ts'
import { useShared } from './shared.ts'

/** One of several processes that serve together: its supervisor starts it, and it obeys only that. */

const terminal = terminalOfProcess()
terminal.outlastReaders()
const log = createLog({
  write: gatherLines(terminal.complain),
  pretty: terminal.interactive,
  now: Date.now,
})
const reportEveryMs = 5000
const startLookMs = 2000
/** The supervisor may be gone already. */
const lastReportWithinMs = 1000

let service: WorkerService | undefined
let isEnding = false
let longestAnswerMs = 0

function read({ flags, file, found }: Briefing) {
  const { surroundings } = terminal
  const readFile = (path: string) => (path === file?.path ? file.text : surroundings.readFile(path))
  const named = file === undefined ? flags : { ...flags, config: file.path }
  return loadConfig({ flags: named, found, ...vocabulary, surroundings: { ...surroundings, readFile } })
}

function started(): WorkerService {
  if (service === undefined) throw new Error('it has not been started')
  return service
}

const report = (): Promise<void> => supervisor('report', started().figures(), started().seen).catch(() => undefined)

/** Ends the process once its last requests are answered. */
async function end(answered: Promise<void>, code = 0): Promise<void> {
  await answered
  if (isEnding) return
  isEnding = true
  setTimeout(() => process.exit(code), lastReportWithinMs)
  await report()
  process.exit(code)
}

const calls: WorkerCalls = {
  async start(briefing) {
    const { number, port, traces } = briefing
    // What is wrong with a model server is said once, not by every worker.
    const own = number === 1 ? log : { exchange: log.exchange }
    const config = read(briefing)
    longestAnswerMs = config.settings.timeouts.totalMs
    const print: Shared['print'] = (figures) => supervisor('printFigures', figures)
    const shared = { ...useShared(supervisor), print, traces }
    service = await startService(config, own, { version: readVersion(), port, shared })
    void service.full.then(() => supervisor('replaceMe', 'memory'))
    void service.services(AbortSignal.timeout(startLookMs)).then(report)
    setInterval(report, reportEveryMs).unref()
  },
  takeUp: (briefing) => void started().replace(read(briefing)),
  services: (withinMs) => started().services(AbortSignal.timeout(withinMs)),
  underWay: () => started().underWay(),
  figures: () => started().figures(),
  retire() {
    setTimeout(() => end(started().close()), longestAnswerMs)
    void end(started().retire())
  },
  close: () => void end(started().close()),
}

const supervisor = connect<SupervisorCalls>(process, calls)
// When the supervisor goes, answers under way may finish: node:cluster would end the process at once.
if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true
process.on('disconnect', () => {
  if (service === undefined) process.exit(1)
  void end(service.close(), 1)
})
// A terminal sends these to every process: the supervisor says what follows.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
const askToBeReplaced = (reason: 'signal' | 'crash') => supervisor('replaceMe', reason).catch(() => undefined)
process.on('SIGTERM', () => void askToBeReplaced('signal'))
terminal.onCrash((cause) => {
  log.crash(cause)
  void askToBeReplaced('crash')
})
