import { stringify } from 'yaml'
import { type Config, loadConfig } from '../../config/load.ts'
import { ConfigError, type Problem, printPath, printProblem } from '../../config/problems.ts'
import { toConfigJsonSchema } from '../../config/schema.ts'
import { didYouMean } from '../../protocol/text/nearest.ts'
import { defineVerb, UsageError } from '../arguments.ts'
import { vocabulary } from '../compose/vocabulary.ts'
import type { Terminal } from '../terminal/terminal.ts'

const actions = ['check', 'schema', 'print']

export const config = defineVerb({
  name: 'config',
  summary: 'check your config file, print it, or print its JSON Schema',
  operands: 'check|schema|print',
  maxOperands: 1,
  words: actions,
  flags: {
    config: { type: 'text', value: 'FILE', help: 'config file (default: dragoman.yaml)' },
    json: { type: 'switch', help: 'print the result as JSON' },
  },
  details: [
    'check tells what is wrong with the file. print shows the settings in effect, with secrets hidden. schema prints the JSON Schema of the file, for your editor.',
  ],
  examples: [
    ['dragoman config check', 'tells whether the file is valid, with line and column of what is not'],
    ['dragoman config print --json', 'prints the settings in effect'],
  ],
  async run({ config: path, json = false }, [action], terminal) {
    if (action === 'schema') {
      terminal.write(`${JSON.stringify(toConfigJsonSchema(vocabulary), undefined, 2)}\n`)
      return 0
    }
    const load = () =>
      loadConfig({
        flags: { config: path },
        ...vocabulary,
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
    const { file, settings, warnings } = load()
    const counts = `${count(settings.upstreams.size, 'upstream')}, ${count(settings.models.length, 'model')}`
    terminal.write(`${file?.path ?? 'No config file, so the defaults apply'}: OK (${counts})\n`)
    for (const warning of warnings) {
      const frame = warning.frame === undefined ? '' : `${warning.frame.replace(/^/gm, '  ')}\n`
      terminal.write(`  ${terminal.paint('yellow', 'warning:')} ${printProblem(warning)}\n${frame}`)
    }
    return 0
  }
  try {
    const { file, warnings } = load()
    const told = { fine: true, file: file?.path ?? null, problems: [], warnings: warnings.map(toJson) }
    terminal.write(`${JSON.stringify(told)}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    terminal.write(`${JSON.stringify({ fine: false, problems: error.problems.map(toJson) })}\n`)
    return 1
  }
}

const toJson = ({ where, path, message }: Problem) => ({ where: where ?? null, path: printPath(path), message })

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`
}

function wrongAction(action: string | undefined): string {
  if (action === undefined) return 'What should `dragoman config` do? Choose check, schema or print.'
  return `Unknown subcommand "${action}" for \`dragoman config\`. ${didYouMean(action, actions, `Choose ${actions.join(', ')}.`)}`
}
