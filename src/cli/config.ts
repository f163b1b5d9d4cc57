import { stringify } from 'yaml'
import { type Config, loadConfig } from '../config/load.ts'
import { nearest } from '../config/nearest.ts'
import { ConfigError, printPath } from '../config/problems.ts'
import { toConfigJsonSchema } from '../config/schema.ts'
import { defineVerb, UsageError } from './arguments.ts'
import { dialectNames, flavourNames } from './compose.ts'
import type { Terminal } from './terminal.ts'

const actions = ['check', 'schema', 'print']

export const config = defineVerb({
  name: 'config',
  summary: 'check the configuration, print its JSON Schema, or print what is in effect',
  operands: 'check|schema|print',
  maxOperands: 1,
  flags: {
    config: { type: 'text', value: 'FILE', help: 'the file, instead of the one that would be found' },
    json: { type: 'switch', help: 'the answer as JSON' },
  },
  async run({ config: path, json = false }, [action], terminal) {
    if (action === 'schema') {
      terminal.write(`${JSON.stringify(toConfigJsonSchema(dialectNames, flavourNames), undefined, 2)}\n`)
      return 0
    }
    const load = () =>
      loadConfig({
        flags: { config: path },
        dialects: dialectNames,
        flavours: flavourNames,
        surroundings: terminal.surroundings,
      })
    if (action === 'check') return check(load, json, terminal)
    if (action === 'print') {
      const { shown } = load()
      terminal.write(json ? `${JSON.stringify(shown, undefined, 2)}\n` : stringify(shown))
      return 0
    }
    throw new UsageError(wrongAction(action))
  },
})

function check(load: () => Config, json: boolean, terminal: Terminal): number {
  if (!json) {
    const { file, settings } = load()
    const counts = `upstreams: ${settings.upstreams.size}, models: ${settings.models.length}`
    terminal.write(`${file?.path ?? 'No file; the defaults'}: fine (${counts})\n`)
    return 0
  }
  try {
    const { file } = load()
    terminal.write(`${JSON.stringify({ fine: true, file: file?.path ?? null, problems: [] })}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const problems = error.problems.map(({ where = null, path: steps, message }) => ({
      where,
      path: printPath(steps),
      message,
    }))
    terminal.write(`${JSON.stringify({ fine: false, problems })}\n`)
    return 1
  }
}

function wrongAction(action: string | undefined): string {
  if (action === undefined) return `config needs to know what to do: ${actions.join(', ')}.`
  const meant = nearest(action, actions)
  return `config cannot "${action}". ${meant === undefined ? `It can ${actions.join(', ')}.` : `Did you mean "${meant}"?`}`
}
