import type { Socket } from 'node:net'
import { loadConfig } from '../../config/load.ts'
import { changeSentences } from '../../protocol/trace/sentences.ts'
import { createLog } from '../../server/telemetry/log.ts'
import { startWorker } from '../compose/compose.ts'
import type { WorkerService } from '../compose/service.ts'
import { vocabulary } from '../compose/vocabulary.ts'
import { gatherLines } from '../serve/gathered.ts'
import { terminalOfProcess } from '../terminal/terminal.ts'
import { readVersion } from '../version.ts'
import { createCrew } from './crew.ts'
import type { Briefing, SupervisorDuties, WorkerDuties } from './duties.ts'
import { type Channel, createLine } from './line.ts'

/** One of several processes that serve together: it is started by the supervisor and obeys only that. */

const terminal = terminalOfProcess()
terminal.outlastReaders()
const log = createLog({
  write: gatherLines(terminal.complain),
  pretty: terminal.interactive,
  now: Date.now,
  sentences: changeSentences,
})
/** The supervisor may be gone already. */
const farewellWithinMs = 1000

let service: WorkerService | undefined
let isEnding = false
let longestAnswerMs = 0

function read({ flags, file, found }: Briefing) {
  const { surroundings } = terminal
  const readFile = (path: string) => (path === file?.path ? file.text : surroundings.readFile(path))
  const named = file === undefined ? flags : { ...flags, config: file.path }
  return loadConfig({ flags: named, found, ...vocabulary, surroundings: { ...surroundings, readFile } })
}

function serving(): WorkerService {
  if (service === undefined) throw new Error('it has not been started')
  return service
}

/** Ends the process once all it still had to do is done. */
async function end(lastDuty: Promise<void>, code = 0): Promise<void> {
  await lastDuty
  if (isEnding) return
  isEnding = true
  setTimeout(() => process.exit(code), farewellWithinMs)
  if (process.connected) await line.ask('farewell', serving().figures())
  process.exit(code)
}

/** What is still open after the longest answer is nobody's any more. */
async function retire(retiring: WorkerService): Promise<void> {
  const late = new Promise<void>((resolve) => {
    setTimeout(() => resolve(retiring.close()), longestAnswerMs)
  })
  await Promise.race([retiring.retire(), late])
}

const duties: WorkerDuties = {
  async start(briefing) {
    // What is wrong with a model server is said once, not by every worker.
    const said = briefing.number === 1 ? log : { exchange: log.exchange }
    const config = read(briefing)
    longestAnswerMs = config.settings.timeouts.totalMs
    service = await startWorker(config, said, readVersion(), createCrew(line, briefing))
    void service.full.then(() => line.ask('replaceMe', 'memory'))
    void service.services(AbortSignal.timeout(startLookMs))
    return service.entrances
  },
  takeUp: (briefing) => void serving().replace(read(briefing)),
  services: (withinMs) => serving().services(AbortSignal.timeout(withinMs)),
  seen: () => serving().seen,
  underWay: () => serving().underWay(),
  figures: () => serving().figures(),
  retire: () => void end(retire(serving())),
  close: () => void end(serving().close()),
}

/** How long the first look at the model servers may take. */
const startLookMs = 2000

const channel: Channel = {
  send(message) {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
  },
  onMessage: (listener) => void process.on('message', (message, socket) => listener(message, socket as Socket)),
}
const line = createLine<SupervisorDuties>(channel, duties, (socket) => serving().serve(socket))

function endWithSupervisor(): void {
  if (service === undefined) process.exit(1)
  void end(service.close(), 1)
}

// A terminal sends these to every process: the supervisor says what follows from it.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('SIGTERM', () => void line.ask('replaceMe', 'signal'))
process.on('disconnect', endWithSupervisor)
terminal.onCrash((cause) => {
  log.crash(cause)
  void line.ask('replaceMe', 'crash')
})
