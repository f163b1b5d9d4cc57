import { printAddress } from '../config/address.ts'
import { type Config, loadConfig } from '../config/load.ts'
import { createLog } from '../server/log.ts'
import { defineVerb } from './arguments.ts'
import { type BannerModel, printBanner } from './banner.ts'
import { dialectNames, flavourNames, type Service, startService } from './compose.ts'
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
    config: {
      type: 'text',
      value: 'FILE',
      help: 'the configuration, instead of dragoman.yaml here or in your config folder',
    },
    listen: { type: 'text', value: 'HOST:PORT', help: 'address to listen on, or just a port (default 127.0.0.1:8484)' },
    port: { type: 'text', value: 'N', help: 'port to listen on; 0 takes any free one' },
    upstream: { type: 'text', value: 'URL', help: 'an OpenAI-compatible service; replaces the upstreams of the file' },
    model: { type: 'text', value: 'NAME', help: 'the model served' },
    tools: { type: 'text', value: 'MODE', choices: ['auto', 'native', 'prompt'], help: 'how models get their tools' },
    dialect: { type: 'text', value: 'NAME', choices: ['auto', ...dialectNames], help: 'how tools are taught' },
    open: { type: 'switch', help: 'open the browser once it runs' },
  },
  details: ['Without a configuration and without --upstream it serves "rehearsal", a stand-in for a model.'],
  async run({ open = false, ...flags }, _operands, terminal) {
    const { surroundings } = terminal
    const loading = { flags, dialects: dialectNames, flavours: flavourNames, surroundings }
    const config = loadConfig(loading)
    terminal.outlastReaders()
    const log = createLog({
      write: terminal.complain,
      pretty: terminal.interactive,
      now: Date.now,
      sentences: changeSentences,
    })
    const service = await startService(config, log).catch((error: unknown) => refuseStart(error, config))
    const interrupted = untilInterrupted(terminal)
    terminal.write(printBanner(await gatherFacts(service, config, terminal), terminal.paint))
    const warnings = await service.warnings(AbortSignal.timeout(factsWithinMs)).catch(() => [])
    for (const warning of warnings) terminal.complain(`${terminal.paint('yellow', 'Warning:')} ${warning}\n`)
    const watching = watchConfig(config, loading, service, terminal)
    if (open) openBrowser(`${service.origin}/v1/models`, terminal)
    await interrupted
    watching?.close()
    const again = untilInterrupted(terminal)
    terminal.complain('Closing; answers under way may finish. Once more to stop at once.\n')
    const stopped = await Promise.race([service.close().then(() => 0), again.then(() => 130)])
    if (stopped !== 0) process.exit(stopped)
    return 0
  },
})

function refuseStart(error: unknown, { settings }: Config): never {
  const address = printAddress(settings.listen)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const other = printAddress({ ...settings.listen, port: Math.min(settings.listen.port + 1, 65_535) })
  if (code === 'EADDRINUSE') {
    throw new Refusal(`${address} is taken by another program. End that one, or choose another: --listen ${other}`)
  }
  if (code === 'EACCES')
    throw new Refusal(`${address} may not be listened on by this user. Choose a port from 1024 on.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') throw new Refusal(`${address} is no address of this machine.`)
  throw error
}

const factsWithinMs = 2000

async function gatherFacts(service: Service, { settings, file, shown }: Config, { surroundings }: Terminal) {
  const cards = await service.models(AbortSignal.timeout(factsWithinMs)).catch(() => [])
  // An upstream that cannot be asked just now says nothing about the models the configuration names.
  const named = settings.models.map(({ name, tools }) => ({ id: name, tools, dialect: undefined }))
  const models = (cards.length > 0 ? cards : named).map(({ id, tools, dialect }) => ({
    id,
    mode: wordsFor(tools, dialect),
  }))
  const upstream = settings.models[0]?.upstreams[0] ?? [...settings.upstreams.keys()][0] ?? ''
  return {
    version: readVersion(),
    program: surroundings.environment['npm_lifecycle_event'] === 'start' ? 'npm start --' : 'dragoman',
    origin: service.origin,
    models: models satisfies BannerModel[],
    configPath: file?.path,
    rehearsing: settings.upstreams.get(upstream)?.kind === 'rehearsal',
    key: keyForShell(shown.keys[0]),
  }
}

function wordsFor(tools: string, dialect: string | undefined): string {
  const taught = dialect === undefined ? 'in the prompt' : `in the prompt (${dialect})`
  if (tools === 'native') return 'native tools'
  return tools === 'prompt' ? `tools ${taught}` : `native tools, else ${taught}`
}

/** A key from the environment can be pasted by its name; one from the file is not shown. */
function keyForShell(key: string | undefined): string | undefined {
  if (key === undefined) return undefined
  return key.startsWith('env:') ? `$${key.slice('env:'.length)}` : 'YOUR_KEY'
}

function untilInterrupted(terminal: Terminal): Promise<void> {
  return new Promise((resolve) => {
    const stop = terminal.onInterrupt(() => {
      stop()
      resolve()
    })
  })
}
