import { defineVerb } from './arguments.ts'
import { describeDialects } from './compose.ts'
import { printTable } from './table.ts'

export const dialects = defineVerb({
  name: 'dialects',
  summary: 'the formats tools are taught and calls are read in',
  flags: { json: { type: 'switch', help: 'the table as JSON' } },
  async run({ json }, _operands, terminal) {
    const rows = describeDialects()
    if (json) {
      terminal.write(`${JSON.stringify(rows, undefined, 2)}\n`)
      return 0
    }
    terminal.write(printTable(['NAME', 'MODELS', 'EXAMPLE'], rows.map(toRow)))
    return 0
  },
})

/** Examples of several lines are shown on one, their line breaks as `⏎`. */
function toRow({ name, models, example }: ReturnType<typeof describeDialects>[number]): readonly string[] {
  return [name, models, example.replaceAll('\n', '⏎')]
}
