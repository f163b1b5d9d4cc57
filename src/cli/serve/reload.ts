import { type Config, type LoadOptions, loadConfig } from '../../config/load.ts'
import { watchFile } from '../../config/sources/watch.ts'
import type { Service } from '../compose/service.ts'
import type { Terminal } from '../terminal/terminal.ts'

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
