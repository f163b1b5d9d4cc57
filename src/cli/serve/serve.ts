import { spawn } from 'node:child_process'
import { type Config, type LoadOptions, loadConfig } from '../../config/load.ts'
import { watchFile } from '../../config/sources/watch.ts'
import { printAddress } from '../../config/values/address.ts'
import { ownPortOf } from '../../discovery/places.ts'
import { createLog } from '../../server/telemetry/log.ts'
import { defineVerb } from '../arguments.ts'
import { startService } from '../compose/compose.ts'
import { originOf, type Service } from '../compose/service.ts'
import { dialectFlag, vocabulary } from '../compose/vocabulary.ts'
import { discover } from '../discover.ts'
import { readVersion } from '../package.ts'
import { announceGateway, isDragoman } from '../running.ts'
import { Refusal } from '../terminal/input.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { startCluster } from '../workers/cluster.ts'
import { gatherFacts, printBanner } from './banner.ts'
import { gatherLines } from './gathered.ts'

export const serve = defineVerb({
  name: 'serve',
  summary: 'start the gateway',
  flags: {
    config: { type: 'text', value: 'FILE', help: 'config file (default: dragoman.yaml here or in your config folder)' },
    listen: { type: 'text', value: 'HOST:PORT', help: 'address to listen on, or just a port (default 127.0.0.1:8484)' },
    port: { type: 'text', value: 'N', help: 'port to listen on; 0 takes any free one' },
    upstream: {
      type: 'text',
      value: 'URL',
      help: 'URL of your model server; replaces the upstreams in the config file',
    },
    model: { type: 'text', value: 'NAME', help: 'serve only this model' },
    tools: {
      type: 'text',
      value: 'MODE',
      choices: ['auto', 'native', 'template', 'prompt'],
      help: 'how models get their tools',
    },
    dialect: { ...dialectFlag, help: 'format to teach tools in (`dragoman dialects` lists them)' },
    discover: {
      type: 'text',
      value: 'WHERE',
      help: 'where to look for model servers when none is named: on, off, or ports like 8000,8080 (default on)',
    },
    workers: {
      type: 'text',
      value: 'N',
      help: 'how many processes share the port, or auto for one per CPU (default 1)',
    },
    'strict-port': { type: 'switch', help: 'fail if the port is taken, instead of using the next free one' },
    'no-inspector': { type: 'switch', help: 'do without the inspector, and record nothing for it' },
    open: { type: 'switch', help: 'open the start page in your browser' },
  },
  details: [
    'Without a config file and --upstream it looks for model servers on this machine (Ollama, LM Studio, vLLM, llama.cpp and others on their usual ports) and serves all their models. OPENAI_BASE_URL, OPENAI_API_KEY and OLLAMA_HOST are used too.',
    'If it finds none, it serves "rehearsal", a scripted stand-in for a model, and keeps looking.',
  ],
  examples: [
    ['dragoman', 'serves the models of every server running on this machine'],
    ['dragoman --upstream http://127.0.0.1:8000', 'serves the models of one server'],
    ['dragoman --config team.yaml --port 9000', 'uses a config file and another port'],
  ],
  async run(values, _operands, terminal) {
    const { open = false, 'strict-port': strictPort = false, 'no-inspector': noInspector, ...flags } = values
    const { surroundings } = terminal
    const inspector = noInspector === true ? 'off' : undefined
    const settled = { flags: { ...flags, inspector }, ...vocabulary, surroundings }
    const written = loadConfig(settled)
    const isAlone = written.settings.workers === 1
    // Workers are told what was found when they start; one process can look while it listens.
    let nearby = isAlone ? undefined : await discover(written, terminal)
    const loading = {
      ...settled,
      get found() {
        return nearby?.found ?? []
      },
    }
    let config = nearby === undefined ? written : loadConfig(loading)
    terminal.outlastReaders()
    const log = createLog({
      write: gatherLines(terminal.complain),
      pretty: terminal.interactive,
      now: Date.now,
    })
    const crashed = new Promise<true>((resolve) =>
      terminal.onCrash((cause) => {
        log.crash(cause)
        resolve(true)
      }),
    )
    const known = Promise.withResolvers<void>()
    const service = await startOnFreePort(config, strictPort, (port) =>
      isAlone
        ? startService(config, log, { version: readVersion(), port, ready: known.promise })
        : startCluster({ config, loading, terminal, port }),
    )
    announceGateway(service.origin, config.file?.path, surroundings)
    const interrupted = untilInterrupted(terminal)
    if (isAlone) {
      nearby = await discover(written, terminal, { ownOrigin: service.origin })
      if (loading.found.length > 0) config = await takeUpFound(service, loading)
      known.resolve()
    }
    terminal.write(
      printBanner(
        await gatherFacts(service, config, terminal, [
          ...config.warnings.map(({ message }) => `${message.replace(/^./, (first) => first.toUpperCase())}.`),
          ...(nearby?.remarks.map(({ says, fix }) => `${says} ${fix}`) ?? []),
        ]),
        terminal.paint,
      ),
    )
    nearby?.follow(service, () => service.replace(loadConfig(loading)), terminal)
    const watching = watchConfig(config, loading, service, terminal)
    if (open) openBrowser(service.origin, terminal)
    const why = await Promise.race([
      interrupted.then(() => 'asked' as const),
      service.full.then(() => 'full' as const),
      crashed.then(() => 'crashed' as const),
    ])
    watching.close()
    nearby?.close()
    const again = untilInterrupted(terminal)
    terminal.complain(why === 'asked' ? sayGoodbye(await service.underWay()) : troubles[why])
    const stopped = await Promise.race([service.close().then(() => 0), again.then(() => 130)])
    if (stopped !== 0) process.exit(stopped)
    return why === 'asked' ? 0 : 1
  },
})

/** What was found may be named in a way that the configuration cannot have. */
async function takeUpFound(service: Service, loading: LoadOptions): Promise<Config> {
  try {
    const config = loadConfig(loading)
    service.replace(config)
    return config
  } catch (error) {
    await service.close()
    throw error
  }
}

const troubles = {
  full: 'Out of memory: finishing what is under way, then stopping. Start me again, or give Node more with NODE_OPTIONS=--max-old-space-size=4096.\n',
  crashed: 'Internal error: finishing what is under way, then stopping. Start me again; the log has the cause.\n',
}

function sayGoodbye(underWay: number): string {
  if (underWay === 0) return 'Shutting down.\n'
  const requests = underWay === 1 ? '1 request' : `${underWay} requests`
  return `Shutting down: waiting for ${requests} to finish. Press Ctrl+C again to stop now.\n`
}

/** How many ports after a taken one are tried. */
const furtherPorts = 20

async function startOnFreePort(
  config: Config,
  strict: boolean,
  start: (port: number) => Promise<Service>,
): Promise<Service> {
  const { listen } = config.settings
  for (let port = listen.port; ; port += 1) {
    try {
      return await refuseItself(await start(port), config)
    } catch (error) {
      const isLast = strict || listen.port === 0 || port >= Math.min(listen.port + furtherPorts, 65_535)
      if (isLast || !isTaken(error)) await refuseStart(error, config)
    }
  }
}

/** The address of a model server that is the gateway's own would ask itself for ever. */
async function refuseItself(service: Service, { settings, inFile }: Config): Promise<Service> {
  const own = ownPortOf(service.origin)
  for (const [name, upstream] of settings.upstreams) {
    const url = 'url' in upstream && typeof upstream.url === 'string' ? upstream.url : undefined
    if (own === undefined || url === undefined || ownPortOf(url) !== own) continue
    await service.close()
    const field = inFile.has('upstreams') && name !== 'default' ? `upstreams.${name}.url` : '--upstream'
    throw new Refusal(`${field} is the gateway's own address (${url}). Give the address of a model server instead.`)
  }
  return service
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}

async function refuseStart(error: unknown, { settings }: Config): Promise<never> {
  const address = printAddress(settings.listen)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const other = printAddress({ ...settings.listen, port: Math.min(settings.listen.port + 1, 65_535) })
  if (isTaken(error)) {
    const isOurs = await isDragoman(originOf(settings.listen))
    const who = isOurs ? `Dragoman already runs on ${address}` : `${address} is in use by another program`
    throw new Refusal(`${who}. Stop that one, or choose another port: --listen ${other}`)
  }
  if (code === 'EACCES') throw new Refusal(`You aren't allowed to listen on ${address}. Choose a port from 1024 up.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    throw new Refusal(`${address} is not an address of this machine. Check --listen, or \`listen\` in the config file.`)
  throw error
}

function untilInterrupted(terminal: Terminal): Promise<void> {
  return new Promise((resolve) => {
    const stop = terminal.onInterrupt(() => {
      stop()
      resolve()
    })
  })
}

/** Shows a page in the user's browser. A machine without one is told the address instead. */
export function openBrowser(url: string, terminal: Terminal): void {
  const [command, ...words] = commandFor(terminal.surroundings.platform)
  const browser = spawn(command, [...words, url], { stdio: 'ignore', detached: true })
  browser.on('error', () => terminal.complain(`I couldn't open a browser. The page is at ${url}\n`))
  browser.unref()
}

function commandFor(platform: string): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open']
  return platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
}

/** Takes up every change of the configuration's file from now on, and all of it anew when told to. */
export function watchConfig(config: Config, loading: LoadOptions, service: Service, terminal: Terminal) {
  if (config.file === undefined) {
    terminal.onReload(() => void service.replace(loadConfig(loading), true))
    return { close: () => undefined }
  }
  const { path, text: seen } = config.file
  const { readFile } = loading.surroundings

  /** From the file in use, whether or not it would be found by now; from the text that was noticed, not from a later one. */
  const load = (text: string | undefined): Config => {
    const readNoticed = (file: string) => (file === path && text !== undefined ? text : readFile(file))
    return loadConfig({
      ...loading,
      flags: { ...loading.flags, config: path },
      surroundings: { ...loading.surroundings, readFile: readNoticed },
    })
  }

  /** Whatever is wrong with the new configuration, the gateway goes on with the old one. */
  const takeUp = (text: string | undefined, anew = false): void => {
    try {
      const next = load(text)
      const changes = service.replace(next, anew)
      const label = terminal.paint('green', 'New configuration loaded')
      terminal.complain(`${[`${label} from ${path}.`, ...changes].join('\n  ')}\n`)
    } catch (error) {
      const label = terminal.paint('red', 'Configuration refused, the old one stays:')
      terminal.complain(`${label}\n${(error as Error).message.replace(/^/gm, '  ')}\n`)
    }
  }

  terminal.onReload(() => takeUp(readFile(path), true))
  return watchFile({ path, seen, readFile, onChange: (text) => takeUp(text) })
}
