import type { Config } from '../config/load.ts'
import type { ConfigFile } from '../config/schema.ts'
import type { BannerFacts } from './banner.ts'
import type { Service } from './compose.ts'
import type { Terminal } from './terminal.ts'
import { readVersion } from './version.ts'

const factsWithinMs = 2000

/** What there is to say when the gateway has started. A service that takes its time does not hold it up. */
export async function gatherFacts(
  service: Service,
  { file, shown }: Config,
  { surroundings }: Terminal,
): Promise<BannerFacts> {
  return {
    version: readVersion(),
    program: surroundings.environment['npm_lifecycle_event'] === 'start' ? 'npm start --' : 'dragoman',
    origin: service.origin,
    services: (await service.services(AbortSignal.timeout(factsWithinMs))).map(withoutControls),
    configPath: file === undefined ? undefined : fromHome(file.path, surroundings.homeDirectory),
    key: keyForShell(shown.keys[0]),
  }
}

type ServiceFacts = BannerFacts['services'][number]

/** Names come from services: none of their control characters may draw on the terminal. */
function withoutControls(service: ServiceFacts): ServiceFacts {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const plain = (text: string) => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?')
  return { ...service, models: service.models.map((model) => ({ ...model, id: plain(model.id) })) }
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
