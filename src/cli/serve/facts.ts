import type { Config } from '../../config/load.ts'
import type { ConfigFile } from '../../config/schema.ts'
import { originOf, type Service } from '../compose/service.ts'
import { withoutControls } from '../discover.ts'
import { readVersion } from '../package.ts'
import { isDragoman } from '../running.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { BannerFacts } from './banner.ts'

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

type ServiceFacts = BannerFacts['services'][number]

function withPlainNames(service: ServiceFacts): ServiceFacts {
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
