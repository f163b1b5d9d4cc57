import { didYouMean } from '../protocol/text/nearest.ts'
import { defineVerb, UsageError } from './arguments.ts'
import { describeDialects } from './compose/vocabulary.ts'
import { terminalWidth, wrapWords } from './terminal/layout.ts'
import type { Terminal } from './terminal/terminal.ts'

type Row = ReturnType<typeof describeDialects>[number]

export const dialects = defineVerb({
  name: 'dialects',
  summary: 'list the formats tools can be taught in',
  operands: '[NAME]',
  maxOperands: 1,
  flags: { json: { type: 'switch', help: 'print the list as JSON' } },
  details: ['With a NAME, it shows that one in full.'],
  examples: [['dragoman dialects hermes', 'shows one format with an example']],
  async run({ json }, [name], terminal) {
    const all = describeDialects()
    const rows = name === undefined ? all : [find(name, all)]
    if (json) terminal.write(`${JSON.stringify(name === undefined ? rows : rows[0], undefined, 2)}\n`)
    else if (name === undefined) terminal.write(printRows(rows, terminal.paint))
    else terminal.write(rows.map((row) => printOne(row, terminal.paint)).join(''))
    return 0
  },
})

function find(name: string, rows: readonly Row[]): Row {
  const row = rows.find((one) => one.name === name)
  if (row !== undefined) return row
  const names = rows.map((one) => one.name)
  const remedy = didYouMean(name, names, 'Run `dragoman dialects` for the list.')
  throw new UsageError(`There is no dialect called "${name}". ${remedy}`)
}

/** Two lines each at least, so that every terminal can show them: name and models, below them the example. */
function printRows(rows: readonly Row[], paint: Terminal['paint']): string {
  const width = Math.max(...rows.map(({ name }) => name.length))
  const indent = ' '.repeat(width + 2)
  const heading = `${'NAME'.padEnd(width)}  MODELS, and below them an example`
  const lines = rows.flatMap(({ name, models, example }) => {
    const [first = '', ...others] = wrapWords(models, indent)
    return [
      `${paint('bold', name.padEnd(width))}  ${first.trimStart()}`,
      ...others,
      `${indent}${paint('dim', toOneLine(example, terminalWidth - indent.length))}`,
    ]
  })
  return `${[heading, ...lines].join('\n')}\n`
}

/** Examples of several lines on one, their line breaks as `⏎`. */
function toOneLine(example: string, width: number): string {
  const characters = [...example.replaceAll('\n', '⏎')]
  return characters.length <= width ? characters.join('') : `${characters.slice(0, width - 1).join('')}…`
}

function printOne({ name, models, example }: Row, paint: Terminal['paint']): string {
  return `${paint('bold', name)}\n${wrapWords(models, '').join('\n')}\n\n${example}\n`
}
