import { startService } from '../../src/cli/compose/compose.ts'
import { vocabulary } from '../../src/cli/compose/vocabulary.ts'
import { loadConfig } from '../../src/config/load.ts'
import { silentLog } from '../../src/server/telemetry/log.ts'

/** A gateway as the program composes it, in this process, for what only its own process can see. */
export async function startInProcess(config: object, environment: Readonly<Record<string, string>> = {}) {
  const loaded = loadConfig({
    ...vocabulary,
    surroundings: {
      environment,
      platform: process.platform,
      workingDirectory: '/project',
      homeDirectory: '/home/u',
      readFile: (path) => (path === '/project/dragoman.json' ? JSON.stringify(config) : undefined),
    },
    flags: { listen: '127.0.0.1:0' },
  })
  const { origin, close } = await startService(loaded, silentLog)
  return { origin, close }
}
