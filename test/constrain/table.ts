import type { Dialect } from '../../src/dialects/dialect.ts'
import { dialects } from '../../src/dialects/registry.ts'
import { constrain } from '../../src/engine/constrain/constrain.ts'
import { printEbnf } from '../../src/engine/constrain/grammar/print.ts'
import { printCalls } from '../../src/engine/print.ts'
import type { Json } from '../../src/protocol/json.ts'
import type { Tool, ToolChoice } from '../../src/protocol/tool.ts'
import { compileEbnf } from './oracle.ts'
import { type Sample, samples } from './schemas.ts'

interface Wish {
  readonly name: string
  readonly choice: ToolChoice
  readonly parallel?: boolean
  readonly thought?: string
  /** What may stand before calls. */
  readonly words: string
  readonly refusesCalls?: boolean
}

const words = 'Let me see: 2 < 3.\n'

/** Every way to want calls. */
const directives: readonly Wish[] = [
  { name: 'required', choice: { mode: 'required' }, words: '' },
  { name: 'named', choice: { mode: 'named', name: 'act' }, words: '' },
  { name: 'allowed', choice: { mode: 'allowed', required: true, names: ['act'] }, words: '' },
  { name: 'one', choice: { mode: 'required' }, parallel: false, words: '' },
  { name: 'auto', choice: { mode: 'auto' }, words },
  { name: 'thought', choice: { mode: 'required' }, thought: '</think>', words: 'Hm.</think>\n' },
  { name: 'none', choice: { mode: 'none' }, words, refusesCalls: true },
]

/** What the oracle says of one cell: how many texts it judged as it should, of how many. */
interface Cell {
  readonly right: number
  readonly of: number
}

async function judge(dialect: Dialect, sample: Sample, directive: Wish): Promise<Cell> {
  const { choice, parallel, thought } = directive
  const tool: Tool = { kind: 'function', name: 'act', ...(sample.schema && { parameters: sample.schema }) }
  const made = constrain({ dialect, tools: [tool], choice, parallel, thought, others: dialects })
  const oracle = await compileEbnf(printEbnf(made.tree))
  const say = (args: Json) =>
    directive.words + printCalls(dialect, [{ id: 'call_1', name: 'act', arguments: JSON.stringify(args) }], [tool])
  const [first = {}] = sample.valid
  const whole = say(first)
  const expected = [
    ...sample.valid.map((args) => ({ text: say(args), isTaken: directive.refusesCalls !== true })),
    ...(made.widened.length > 0 ? [] : sample.invalid.map((args) => ({ text: say(args), isTaken: false }))),
    ...[whole.slice(0, -1), `${whole}}`].map((text) => ({ text, isTaken: false })),
  ].filter(({ isTaken }) => isTaken || directive.refusesCalls !== true)
  if (directive.refusesCalls === true) expected.push({ text: whole, isTaken: false }, { text: words, isTaken: true })
  let right = 0
  for (const { text, isTaken } of expected) if ((await oracle.accepts(text)) === isTaken) right += 1
  oracle.dispose()
  return { right, of: expected.length }
}

interface Row extends Cell {
  readonly line: string
  /** How many cells are. */
  readonly wrong: number
}

/** Every dialect with every schema under every choice, through xgrammar; a line for each dialect as it is done. */
export async function* judgeAll(only: readonly Dialect[] = dialects): AsyncGenerator<Row> {
  const width = Math.max(...dialects.map(({ name }) => name.length))
  const names = directives.map(({ name }) => name.padEnd(11))
  yield { line: ['dialect'.padEnd(width), ...names].join(' ').trimEnd(), wrong: 0, right: 0, of: 0 }
  for (const dialect of only) {
    const cells: string[] = []
    const misses: string[] = []
    const total = { right: 0, of: 0 }
    for (const directive of directives) {
      let [right, of] = [0, 0]
      for (const sample of samples) {
        const cell = await judge(dialect, sample, directive)
        right += cell.right
        of += cell.of
        if (cell.right < cell.of) misses.push(`${directive.name}, ${sample.name}: ${cell.right} of ${cell.of}`)
      }
      total.right += right
      total.of += of
      cells.push(`${right === of ? '✓' : '✗'} ${right}/${of}`.padEnd(11))
    }
    const line = [dialect.name.padEnd(width), ...cells].join(' ').trimEnd()
    yield { line: [line, ...misses.map((miss) => `  ${miss}`)].join('\n'), wrong: misses.length, ...total }
  }
}

export const schemaCount = samples.length
export const choiceCount = directives.length
