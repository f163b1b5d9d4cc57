import { printAddress } from '../config/address.ts'
import { type Config, loadConfig } from '../config/load.ts'
import { createLog } from '../server/log.ts'
import { defineVerb } from './arguments.ts'
import { printBanner } from './banner.ts'
import { startService, vocabulary } from './compose.ts'
import { dialectFlag } from './dialect-flag.ts'
import { gatherFacts } from './facts.ts'
import { Refusal } from './input.ts'
import { changeSentences } from './notes.ts'
import { openBrowser } from './open.ts'
import { watchConfig } from './reload.ts'
import type { Terminal } from './terminal.ts'
import { readVersion } from './version.ts'

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
    tools: { type: 'text', value: 'MODE', choices: ['auto', 'native', 'prompt'], help: 'how models get their tools' },
    dialect: { ...dialectFlag, help: 'format to teach tools in (`dragoman dialects` lists them)' },
    open: { type: 'switch', help: 'open the start page in your browser' },
  },
  details: ['Without a config file and --upstream it serves "rehearsal", a scripted stand-in for a model.'],
  async run({ open = false, ...flags }, _operands, terminal) {
    const { surroundings } = terminal
    const loading = { flags, ...vocabulary, surroundings }
    const config = loadConfig(loading)
    terminal.outlastReaders()
    const log = createLog({
      write: terminal.complain,
      pretty: terminal.interactive,
      now: Date.now,
      sentences: changeSentences,
    })
    const service = await startService(config, log, readVersion()).catch((error: unknown) => refuseStart(error, config))
    const interrupted = untilInterrupted(terminal)
    terminal.write(printBanner(await gatherFacts(service, config, terminal), terminal.paint))
    const watching = watchConfig(config, loading, service, terminal)
    if (open) openBrowser(service.origin, terminal)
    const isFull = await Promise.race([interrupted.then(() => false), service.full.then(() => true)])
    watching?.close()
    const again = untilInterrupted(terminal)
    terminal.complain(isFull ? outOfMemory : sayGoodbye(service.underWay))
    const stopped = await Promise.race([service.close().then(() => 0), again.then(() => 130)])
    if (stopped !== 0) process.exit(stopped)
    return isFull ? 1 : 0
  },
})

const outOfMemory =
  'Out of memory: finishing what is under way, then stopping. Start me again, or give Node more with NODE_OPTIONS=--max-old-space-size=4096.\n'

function sayGoodbye(underWay: number): string {
  if (underWay === 0) return 'Shutting down.\n'
  const requests = underWay === 1 ? '1 request' : `${underWay} requests`
  return `Shutting down: waiting for ${requests} to finish. Press Ctrl+C again to stop now.\n`
}

function refuseStart(error: unknown, { settings }: Config): never {
  const address = printAddress(settings.listen)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const other = printAddress({ ...settings.listen, port: Math.min(settings.listen.port + 1, 65_535) })
  if (code === 'EADDRINUSE') {
    throw new Refusal(
      `${address} is in use by another program. Stop that one, or choose another port: --listen ${other}`,
    )
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
