import { parseArgs } from 'node:util'
import { nearest } from '../protocol/text/nearest.ts'
import { wrapWords } from './terminal/layout.ts'
import type { Terminal } from './terminal/terminal.ts'

/** Wrong usage: told with where to look, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A switch is on or off, a text takes any value (one of `choices` where given), a count a whole number from 1. */
interface Flag {
  readonly type: 'switch' | 'text' | 'count'
  /** What the value is called in help: `FILE`. */
  readonly value?: string
  readonly choices?: readonly string[]
  /** The command that lists the choices, where there are too many to name them all. */
  readonly listedBy?: string
  readonly help: string
}

type Flags = Readonly<Record<string, Flag>>

type Values<Declared extends Flags> = {
  readonly [Name in keyof Declared]?: { switch: boolean; text: string; count: number }[Declared[Name]['type']]
}

interface Definition<Declared extends Flags> {
  readonly name: string
  /** One line for the list of verbs. */
  readonly summary: string
  /** Operands as help shows them: `[FILE|-]`. */
  readonly operands?: string
  readonly maxOperands?: number
  /** What may stand at the end, for another program, as help shows it: `-- ARGS`. */
  readonly passedOn?: string
  /** What the first operand may be, where that is known. */
  readonly words?: readonly string[]
  readonly flags: Declared
  /** Lines below the flags in help. */
  readonly details?: readonly string[]
  /** Commands to copy, each with what it does. */
  readonly examples?: readonly (readonly [command: string, does: string])[]
  /** Returns the exit code. */
  run(values: Values<Declared>, operands: readonly string[], terminal: Terminal): Promise<number>
}

export interface Verb {
  readonly name: string
  readonly summary: string
  readonly help: string
  readonly operands?: string | undefined
  readonly words: readonly string[]
  readonly flags: Flags
  run(argv: readonly string[], terminal: Terminal): Promise<number>
}

/** A verb from its declaration: what it takes, what help says of it, and what it does with arguments that fit. */
export function defineVerb<const Declared extends Flags>(definition: Definition<Declared>): Verb {
  const { name, summary, operands: shown, words = [], flags, maxOperands = 0, passedOn } = definition
  return {
    name,
    summary,
    help: printHelp(definition),
    operands: shown,
    words,
    flags,
    async run(argv, terminal) {
      const { values, operands } = readArguments(flags, argv, passedOn !== undefined)
      if (operands.length > maxOperands)
        throw new UsageError(`Unexpected argument "${operands[maxOperands]}" for \`dragoman ${name}\`.`)
      return await definition.run(values, operands, terminal)
    },
  }
}

/** Splits arguments into flags and operands, and names what does not fit. */
export function readArguments<Declared extends Flags>(
  flags: Declared,
  argv: readonly string[],
  passesOn = false,
): { values: Values<Declared>; operands: readonly string[] } {
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      Object.entries(flags).map(([name, { type }]) => [name, { type: type === 'switch' ? 'boolean' : 'string' }]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values: Record<string, boolean | string | number> = {}
  const operands: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind === 'option') values[token.name] = readValue(flags, token, passesOn)
  }
  return { values: values as Values<Declared>, operands }
}

function readValue(
  flags: Flags,
  { name, rawName, value, inlineValue }: OptionToken,
  passesOn: boolean,
): boolean | string | number {
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined
  if (flag === undefined) {
    const meant = nearest(name, Object.keys(flags))
    const further = passesOn ? ' Put arguments for the other program after --.' : ''
    throw new UsageError(`Unknown option ${rawName}.${meant === undefined ? further : ` Did you mean --${meant}?`}`)
  }
  if (flag.type === 'switch') {
    if (value !== undefined) throw new UsageError(`--${name} doesn't take a value.`)
    return true
  }
  // `--tools --json`: the next flag is no value; one that really begins with a dash is written `--tools=-x`.
  if (value === undefined || (!inlineValue && value.startsWith('-') && value !== '-')) {
    throw new UsageError(`--${name} needs a value: --${name} ${flag.value ?? 'VALUE'}.`)
  }
  if (flag.choices !== undefined && !flag.choices.includes(value)) {
    const meant = nearest(value, flag.choices)
    const all =
      flag.listedBy === undefined ? `Choose from ${flag.choices.join(', ')}.` : `Run \`${flag.listedBy}\` for the list.`
    const remedy = meant === undefined ? all : `Did you mean "${meant}"?${flag.listedBy === undefined ? '' : ` ${all}`}`
    throw new UsageError(`--${name} can't be "${value}". ${remedy}`)
  }
  if (flag.type === 'text') return value
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new UsageError(`--${name} must be a whole number of 1 or more, not "${value}".`)
  return Number(value)
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

/** A flag and what it does, with the lines below it as far in. */
export function printRow(left: string, right: string): readonly string[] {
  const [first = '', ...others] = wrapWords(right, ' '.repeat(left.length))
  return [left + first.trimStart(), ...others]
}

/** Commands stay whole, to be copied. */
export function printExamples(examples: readonly (readonly [command: string, does: string])[]): readonly string[] {
  return examples.flatMap(([command, does]) => [`  ${command}`, ...wrapWords(does, '      ')])
}

function printHelp({
  name,
  summary,
  operands,
  passedOn,
  flags,
  details = [],
  examples = [],
}: Definition<Flags>): string {
  const rows = Object.entries(flags).map(([flag, { type, value = 'VALUE', help, ...rest }]): [string, string] => [
    type === 'switch' ? `--${flag}` : `--${flag} ${value}`,
    rest.choices === undefined || rest.listedBy !== undefined ? help : `${help}: ${rest.choices.join(', ')}`,
  ])
  rows.push(['-h, --help', 'show this help'])
  const width = Math.max(...rows.map(([left]) => left.length))
  return [
    `Usage: dragoman ${name}${operands === undefined ? '' : ` ${operands}`} [options]${passedOn === undefined ? '' : ` [${passedOn}]`}`,
    '',
    ...wrapWords(summary, '  '),
    '',
    ...rows.flatMap(([left, right]) => printRow(`  ${left.padEnd(width)}  `, right)),
    ...(details.length > 0 ? ['', ...details.flatMap((line) => wrapWords(line, '  '))] : []),
    ...(examples.length > 0 ? ['', 'Examples:', ...printExamples(examples)] : []),
    '',
  ].join('\n')
}
