import type { Config } from '../../config/load.ts'
import type { Examination } from '../../doctor/finding.ts'
import { editConfig, entriesFor } from '../config/edit.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Puts what was found into a config file. */
export function writeFindings(
  path: string,
  config: Config,
  examinations: readonly Examination[],
  terminal: Terminal,
): void {
  const entries = examinations.flatMap(({ service, model, advice }) => {
    if (config.shown.upstreams[service] === undefined || model === undefined || advice === undefined) return []
    return entriesFor(config, service, model, { ...advice })
  })
  editConfig(path, entries, terminal)
}
