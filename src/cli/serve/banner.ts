import type { Config } from '../../config/load.ts'
import type { ConfigFile } from '../../config/schema.ts'
import { printContext, printMode, printPlace } from '../../server/pages/welcome.ts'
import { originOf, type Service } from '../compose/service.ts'
import { withoutControls } from '../discover.ts'
import { readVersion } from '../package.ts'
import { isDragoman } from '../running.ts'
import { terminalWidth, wrapWords } from '../terminal/layout.ts'
import type { Terminal } from '../terminal/terminal.ts'

type ServiceCard = Service['seen'][number]
type BannerModel = Omit<ServiceCard['models'][number], 'ownedBy'>

export interface BannerService extends Omit<ServiceCard, 'models'> {
  readonly models: readonly BannerModel[]
}

export interface BannerFacts {
  readonly version: string
  /** How the user runs this program: `dragoman`, or `npm start --` in a checkout. */
  readonly program: string
  /** Where clients connect, without a path: `http://127.0.0.1:8484`. */
  readonly origin: string
  /** Where the clients of each kind connect. */
  readonly entrances?: readonly { readonly clients: string; readonly url: string }[]
  /** The address of the inspector, where there is one. */
  readonly inspector?: string | undefined
  readonly services: readonly BannerService[]
  /** Model servers are looked for on this machine. */
  readonly looking?: boolean
  /** The port that was asked for, where another program has it. */
  readonly takenPort?: number | undefined
  /** That program is a Dragoman. */
  readonly alreadyRuns?: boolean
  /** How many processes share the port. */
  readonly workers?: number
  /** What else to know, in sentences. */
  readonly remarks?: readonly string[]
  /** Where the configuration came from, when from a file. */
  readonly configPath: string | undefined
  /** How the curl presents a key: a shell expansion or a word to replace; undefined when none is needed. */
  readonly key: string | undefined
}

type Paint = Terminal['paint']

const shownModels = 8
const deeper = '      '

/** What `serve` says when it is ready: where, which services with which models, how to try it, how to connect an agent. */
export function printBanner(facts: BannerFacts, paint: Paint): string {
  const { services, origin, key, program, looking = false, remarks = [] } = facts
  const url = `${origin}/v1`
  const model = firstModel(services)
  return [
    '',
    ...printHeading(facts, url, paint),
    '',
    ...services.flatMap((service) => printService(service, paint)),
    ...(services.every(({ embedded }) => embedded === true) ? printStandIn(program, looking, paint) : []),
    ...remarks.flatMap((remark) => [...wrapWords(remark, '  ').map((line) => paint('yellow', line)), '']),
    ...(model === undefined
      ? wrapWords('No need to restart: models are served as soon as a model server answers.', '  ')
      : [paint('bold', '  Try it'), '', printCurl(url, model, key)]),
    '',
    paint('bold', '  Connect your agent'),
    ...printEntrances(facts, url),
    `    API key   ${key === undefined ? 'any text (no keys are set)' : 'one of your keys'}`,
    `    Model     ${model ?? 'a name from /v1/models'}`,
    '',
    `    ${paint('cyan', `${program} connect opencode --write`)}`,
    `      ${paint('dim', 'writes these to your own settings of OpenCode')}`,
    '',
    '',
  ].join('\n')
}

/** One base URL, or one for each kind of client. */
function printEntrances({ entrances = [] }: BannerFacts, url: string): readonly string[] {
  if (entrances.length < 2) return [`    Base URL  ${url}`]
  return entrances.map(
    (one, index) => `    ${index === 0 ? 'Base URL' : '        '}  ${one.url.padEnd(url.length)}  ${one.clients}`,
  )
}

function printHeading(
  { version, configPath, services, takenPort, alreadyRuns, origin, inspector, workers = 1 }: BannerFacts,
  url: string,
  paint: Paint,
): readonly string[] {
  const down = services.length > 0 && services.every(({ state }) => state === 'down')
  return [
    `  ${paint('bold', `Dragoman ${version}`)}  ${paint('cyan', url)}`,
    ...(takenPort === undefined
      ? []
      : [
          ...wrapWords(
            `${alreadyRuns === true ? `Dragoman already runs on port ${takenPort}` : `Port ${takenPort} is taken`}, so I'm using ${new URL(origin).port} instead.`,
            '  ',
          ).map((line) => paint('yellow', line)),
        ]),
    ...(configPath === undefined ? [] : [paint('dim', `  Config: ${configPath}`)]),
    ...(workers === 1 ? [] : [paint('dim', `  ${workers} workers, sharing limits, queues and conversations`)]),
    ...(inspector === undefined ? [] : [`${paint('dim', '  Inspector:')} ${paint('cyan', inspector)}`]),
    ...(down ? ['', `  ${paint('red', 'Running, but no model server can be used yet:')}`] : []),
  ]
}

const signs = { up: ['green', '●'], down: ['red', '✗'], unknown: ['yellow', '○'] } as const

function printService(service: BannerService, paint: Paint): readonly string[] {
  const { name, state, reason, remedy } = service
  const [style, sign] = signs[state]
  const place = printPlace(service)
  const head = `  ${paint(style, sign)} ${paint('bold', name)}`
  const fits = name.length + place.length + 6 <= terminalWidth
  return [
    ...(fits ? [`${head}  ${place}`.trimEnd()] : [head, `${deeper}${place}`]),
    ...[reason, remedy].flatMap((sentence) => (sentence === undefined ? [] : wrapWords(sentence, deeper))),
    // A service that is down has the models of the configuration at most, and they cannot be had.
    ...printModels(service.models, paint),
    ...printWarning(service.models, paint),
    '',
  ]
}

/** Once, though it may hold for several of them. */
function printWarning(models: readonly BannerModel[], paint: Paint): readonly string[] {
  const warning = models.find((model) => model.warning !== undefined)?.warning
  return warning === undefined ? [] : wrapWords(warning, deeper).map((line) => paint('yellow', line))
}

function printModels(models: readonly BannerModel[], paint: Paint): readonly string[] {
  const shown = models.slice(0, shownModels)
  const width = Math.max(0, ...shown.map(({ id }) => id.length))
  const modes = shown.map(printMode)
  const modeWidth = Math.max(0, ...modes.map((mode) => mode.length))
  const contexts = shown.map(printContext)
  const contextWidth = Math.max(0, ...contexts.map((context) => context.length))
  const fits = deeper.length + width + modeWidth + contextWidth + 4 <= terminalWidth
  const lines = shown.flatMap(({ id }, index) => {
    const [mode = '', context = ''] = [modes[index], contexts[index]]
    const details = `${mode.padEnd(modeWidth)}  ${context.padStart(contextWidth)}`.trimEnd()
    return fits
      ? [`${deeper}${id.padEnd(width)}  ${paint('dim', details)}`]
      : [`${deeper}${id}`, `${deeper}  ${paint('dim', details)}`]
  })
  const more = models.length - shown.length
  return more > 0 ? [...lines, `${deeper}${paint('dim', `and ${more} more, listed at /v1/models`)}`] : lines
}

function printStandIn(program: string, looking: boolean, paint: Paint): readonly string[] {
  const none = looking ? 'No model server found on this machine' : 'No model server is set up'
  const sentence = `${none}, so I'm serving "rehearsal", a scripted stand-in for trying things out.`
  const start = looking
    ? "Start Ollama, LM Studio, vLLM, llama.cpp or another one: I keep looking and use it as soon as it answers. If it's on another machine or port, name its URL:"
    : "For a real model, start Dragoman with your server's URL:"
  return [
    ...wrapWords(sentence, '  ').map((line) => line.replace(none, paint('yellow', none))),
    ...wrapWords(start, '  '),
    `    ${paint('cyan', `${program} --upstream http://127.0.0.1:8000`)}`,
    '',
  ]
}

/** The one to try: of a service that works, else of one that may. */
function firstModel(services: readonly BannerService[]): string | undefined {
  for (const wanted of ['up', 'unknown'] as const) {
    const found = services.find(({ state, models }) => state === wanted && models.length > 0)
    if (found !== undefined) return found.models[0]?.id
  }
  return undefined
}

/** A request that yields a tool call, to be pasted into a POSIX shell as it stands. */
export function printCurl(url: string, model: string, key?: string): string {
  // Short lines: a terminal that wraps one may break it in two when it is copied.
  const body = [
    '{',
    `    "model": ${JSON.stringify(model)},`,
    '    "messages": [',
    '      {"role": "user", "content": "Read the file README.md"}',
    '    ],',
    '    "tools": [{"type": "function", "function": {',
    '      "name": "read_file", "description": "Read a file",',
    '      "parameters": {"type": "object", "required": ["path"],',
    '        "properties": {"path": {"type": "string"}}}',
    '    }}]',
    '  }',
  ].join('\n')
  return [
    `curl -sS ${url}/chat/completions \\`,
    "  -H 'Content-Type: application/json' \\",
    ...(key === undefined ? [] : [`  -H "Authorization: Bearer ${key}" \\`]),
    `  -d ${quoteForShell(body)}`,
  ].join('\n')
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

const factsWithinMs = 2000

/** What there is to say when the gateway has started. A service that takes its time does not hold it up. */
export async function gatherFacts(
  service: Service,
  { file, shown, settings, discover }: Config,
  { surroundings }: Terminal,
  remarks: readonly string[] = [],
): Promise<BannerFacts> {
  const { port } = settings.listen
  const takenPort = port === 0 || new URL(service.origin).port === String(port) ? undefined : port
  return {
    version: readVersion(),
    program: surroundings.environment['npm_lifecycle_event'] === 'start' ? 'npm start --' : 'dragoman',
    origin: service.origin,
    entrances: service.entrances,
    inspector: service.inspector,
    services: (await service.services(AbortSignal.timeout(factsWithinMs))).map(withPlainNames),
    looking: discover !== 'off',
    takenPort,
    alreadyRuns: takenPort !== undefined && (await isDragoman(originOf(settings.listen))),
    workers: settings.workers,
    remarks,
    configPath: file === undefined ? undefined : fromHome(file.path, surroundings.homeDirectory),
    key: keyForShell(shown.keys[0]),
  }
}

function withPlainNames(service: BannerService): BannerService {
  return { ...service, models: service.models.map((model) => ({ ...model, id: withoutControls(model.id) })) }
}

function fromHome(path: string, home: string): string {
  return home !== '/' && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

/** A key from the environment can be pasted by its name; one from the file is not shown. */
function keyForShell(given: ConfigFile['keys'][number] | undefined): string | undefined {
  if (given === undefined) return undefined
  const key = typeof given === 'string' ? given : (given.key ?? '')
  return key.startsWith('env:') ? `$${key.slice('env:'.length)}` : 'YOUR_KEY'
}
