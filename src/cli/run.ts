import { ConfigError, printProblem } from '../config/problems.ts'
import { nearest } from '../protocol/text/nearest.ts'
import { printExamples, printRow, UsageError, type Verb } from './arguments.ts'
import { readVersion } from './package.ts'
import { Refusal } from './terminal/input.ts'
import { wrapWords } from './terminal/layout.ts'
import { type Terminal, terminalOfProcess } from './terminal/terminal.ts'
import { loadAll, type VerbEntry, verbs } from './verbs.ts'

/** The program, on a Node that can run it. Resolves with the exit code. */
export function runProgram(): Promise<number> {
  return run(verbs, process.argv.slice(2), terminalOfProcess(), readVersion())
}

/** Runs the verb the arguments name, the first of the list when they name none. Returns the exit code. */
export async function run(
  verbs: readonly VerbEntry[],
  argv: readonly string[],
  terminal: Terminal,
  version: string,
): Promise<number> {
  let chosen: Verb | undefined
  try {
    const [first] = argv
    if (first === '--version' || first === '-v') {
      terminal.write(`${version}\n`)
      return 0
    }
    if (first === '--help' || first === '-h' || first === 'help') {
      terminal.write(printHelp(await loadAll(verbs), version))
      return 0
    }
    const { entry, rest } = chooseVerb(verbs, argv)
    const verb = await entry.load()
    chosen = verb
    if (asksForHelp(rest)) {
      terminal.write(verb.help)
      return 0
    }
    return await verb.run(rest, terminal)
  } catch (error) {
    return complain(error, chosen, terminal)
  }
}

function chooseVerb(
  verbs: readonly VerbEntry[],
  argv: readonly string[],
): { entry: VerbEntry; rest: readonly string[] } {
  const [first, ...rest] = argv
  const [standard] = verbs
  if (standard === undefined) throw new UsageError('There are no commands.')
  if (first === undefined || first.startsWith('-')) return { entry: standard, rest: argv }
  const entry = verbs.find(({ name }) => name === first)
  if (entry !== undefined) return { entry, rest }
  const names = verbs.map(({ name }) => name)
  const meant = nearest(first, names)
  const suggestion = meant === undefined ? '' : ` Did you mean "${meant}"?`
  throw new UsageError(`Unknown command "${first}".${suggestion} Commands: ${names.join(', ')}.`)
}

/** A `--help` after `--` is an operand like any other. */
function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  const flags = end === -1 ? argv : argv.slice(0, end)
  return flags.includes('--help') || flags.includes('-h')
}

function complain(error: unknown, verb: Verb | undefined, terminal: Terminal): number {
  const label = terminal.paint('red', 'error:')
  const told = (message: string): string => `${label} ${wrap(message, ' '.repeat(7), terminal).trimStart()}\n`
  if (error instanceof UsageError) {
    const help = verb === undefined ? 'dragoman --help' : `dragoman ${verb.name} --help`
    terminal.complain(`${told(error.message)}       Run \`${help}\` to see what there is.\n`)
    return 2
  }
  if (error instanceof ConfigError) {
    const print = (message: string) => `  ${wrap(message, '    ', terminal).trimStart()}`
    const frame = (lines: string) => lines.replace(/^/gm, '  ')
    const lines = error.problems.flatMap((problem) => [
      print(printProblem(problem)),
      ...(problem.frame === undefined ? [] : [frame(problem.frame)]),
    ])
    terminal.complain(`${label} Invalid configuration${placeOf(error)}\n${lines.join('\n')}\n`)
    return error.problems.some(({ where }) => where?.startsWith('--')) ? 2 : 1
  }
  if (error instanceof Refusal) {
    terminal.complain(told(error.message))
    return 1
  }
  throw error
}

/** Sentences fit the screen; what follows an empty line is to be copied, and what a program reads is one line. */
function wrap(message: string, indent: string, { interactive }: Terminal): string {
  if (!interactive) return message
  const [sentences = '', ...copied] = message.split('\n\n')
  const lines = sentences.split('\n').flatMap((line) => wrapWords(line, indent))
  return [lines.join('\n'), ...copied].join('\n\n')
}

/** ` in dragoman.yaml`, where one file is all that is wrong. */
function placeOf({ problems }: ConfigError): string {
  const files = new Set(problems.map(({ where = '' }) => /([^/\\]+\.(?:ya?ml|json))(?::|$)/.exec(where)?.[1]))
  const [file] = files
  return files.size === 1 && file !== undefined ? ` in ${file}` : ''
}

function printHelp(verbs: readonly Verb[], version: string): string {
  const width = Math.max(...verbs.map(({ name }) => name.length))
  return [
    `dragoman ${version}`,
    ...wrapWords('An OpenAI-compatible gateway that gives every model tool calling.', ''),
    '',
    'Usage: dragoman [COMMAND] [options]',
    '',
    ...verbs.flatMap(({ name, summary }) => printRow(`  ${name.padEnd(width)}  `, summary)),
    '',
    'Examples:',
    ...printExamples([
      ['dragoman', 'serves the models running on this machine'],
      ['dragoman --upstream http://box:8000', 'serves the models of one server'],
      ['dragoman doctor', 'finds out what is wrong, and what to do'],
    ]),
    '',
    `Without a COMMAND it runs \`${verbs[0]?.name ?? ''}\`.`,
    'Run `dragoman COMMAND --help` for its options.',
    'Run `dragoman --version` for the version.',
    '',
  ].join('\n')
}
