import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { hashKey } from '../../config/keys.ts'
import { type Config, loadConfig } from '../../config/load.ts'
import { createRandomId } from '../../random-id.ts'
import { createLog, type Log } from '../../server/telemetry/log.ts'
import { UsageError } from '../arguments.ts'
import { startService } from '../compose/compose.ts'
import { vocabulary } from '../compose/vocabulary.ts'
import { askGateway, type GatewayAnswer } from '../connect/gateway.ts'
import { findUrl, noKeyNeeded, withVersion } from '../connect/target.ts'
import { discover } from '../discover.ts'
import { createQuestions } from '../init/ask.ts'
import { readVersion } from '../package.ts'
import { Refusal } from '../terminal/input.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** What the command line said. */
interface LaunchOptions {
  readonly url?: string
  readonly key?: string
  readonly config?: string
  readonly upstream?: string
  readonly log?: string
  /** The stand-in is wanted where there is no model server. */
  readonly rehearsal?: boolean
}

/** A gateway to start a client with. */
export interface GatewayHandle {
  readonly url: string
  readonly key: string
  /** What a person should know about it, in sentences. */
  readonly remarks: readonly string[]
  /** Ends it, where it was started for the client. */
  close(): Promise<void>
}

interface Need extends LaunchOptions {
  /** The client has no way to send a key. */
  readonly keyless: boolean
}

/** The gateway that runs where the user says, or where the configuration does; one of its own where none does. */
export async function borrowGateway({ keyless, ...options }: Need, terminal: Terminal): Promise<GatewayHandle> {
  const flags = { config: options.config, upstream: options.upstream }
  const settled = { flags, ...vocabulary, surroundings: terminal.surroundings }
  const config = loadConfig(settled)
  const key = options.key ?? config.settings.keys.find((one) => one.key !== undefined)?.key ?? noKeyNeeded
  const url = options.url === undefined ? await findUrl(config, terminal) : withVersion(options.url)
  // A model server that is named for this run is not what a gateway that runs already serves.
  const answer = options.upstream === undefined ? await askGateway(url, key) : ({ kind: 'none' } as const)
  if (answer.kind !== 'none') {
    const standsIn = !config.inFile.has('upstreams') && servesOnlyStandIn(answer)
    if (standsIn && options.rehearsal !== true) await askForStandIn(terminal)
    return { url, key, remarks: standsIn ? [standIn] : [], close: async () => undefined }
  }
  if (options.url !== undefined) {
    throw new Refusal(`No gateway answers at ${url}. Start it first, or leave out --url and I'll start one for you.`)
  }
  const nearby = await discover(config, terminal)
  nearby?.close()
  const found = nearby?.found ?? []
  const whole = nearby === undefined ? config : loadConfig({ ...settled, found })
  const standsIn = onlyStandIn(whole)
  if (standsIn && options.rehearsal !== true) await askForStandIn(terminal)
  const ownKey = keyless ? undefined : createRandomId('dragoman-')
  const log = logTo(options.log, terminal)
  const service = await startService(forOneClient(whole, ownKey), log, { version: readVersion() })
  const remarks = [...(nearby?.remarks.map(({ says, fix }) => `${says} ${fix}`) ?? []), ...(standsIn ? [standIn] : [])]
  return { url: `${service.origin}/v1`, key: ownKey ?? noKeyNeeded, remarks, close: service.close }
}

const standIn =
  'No model server found, so this uses "rehearsal", a scripted stand-in for trying things out. Start a model server, or name one with --upstream URL.'

/** Whether nothing but the stand-in would answer, and no configuration file says so. */
function onlyStandIn({ inFile, settings }: Config): boolean {
  return !inFile.has('upstreams') && [...settings.upstreams.values()].every(({ kind }) => kind === 'rehearsal')
}

/** What a gateway that found no model server serves. */
function servesOnlyStandIn(answer: GatewayAnswer): boolean {
  return answer.kind === 'models' && answer.models.length > 0 && answer.models.every(({ id }) => id === 'rehearsal')
}

async function askForStandIn(terminal: Terminal): Promise<void> {
  if (!terminal.asks) {
    throw new UsageError(
      'No model server found. Start one, name one with --upstream URL, or add --rehearsal to use a scripted stand-in.',
    )
  }
  const questions = createQuestions(terminal)
  const isWanted = await questions.yes('No model server found. Try it with a scripted stand-in?', true)
  questions.close()
  if (!isWanted) throw new Refusal('Start a model server, or name one with --upstream URL.')
}

/** On a port of its own, for this machine alone, with every door open; it closes without draining. */
function forOneClient(config: Config, key: string | undefined): Config {
  const { settings } = config
  return {
    ...config,
    settings: {
      ...settings,
      listen: { host: '127.0.0.1', port: 0 },
      keys: key === undefined ? [] : [{ name: 'launch', key, hash: hashKey(key) }],
      doors: vocabulary.doors,
      timeouts: { ...settings.timeouts, drainDelayMs: 0, drainMs: 0 },
    },
  }
}

/** The screen belongs to the client. */
function logTo(path: string | undefined, { surroundings }: Terminal): Log {
  if (path === undefined) return { exchange: () => undefined }
  const file = createWriteStream(resolve(surroundings.workingDirectory, path), { flags: 'a', mode: 0o600 })
  file.on('error', () => undefined)
  return createLog({
    write: (line) => void file.write(line),
    pretty: false,
    now: Date.now,
  })
}
