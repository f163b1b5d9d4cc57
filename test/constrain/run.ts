import { parseArgs } from 'node:util'
import { dialects } from '../../src/dialects/registry.ts'
import { judgeGiven } from './given.ts'
import { measureSize, printSize, sizedDialects, sizesHead } from './sizes.ts'
import { choiceCount, judgeAll, schemaCount } from './table.ts'

/**
 * The grammars of every dialect with every schema under every choice, judged by xgrammar. `--dialects hermes,pythonic`: only these.
 * `--schemas FILE`: instead those of a file, JSON lines `{id, schema}`, whether they compile and how long they take to build.
 * `--sizes`: instead what grammars for many tools cost to make and to compile.
 */
const { values } = parseArgs({
  options: {
    sizes: { type: 'boolean', default: false },
    schemas: { type: 'string' },
    dialects: { type: 'string' },
  },
})

if (values.schemas !== undefined) {
  for (const name of values.dialects?.split(',') ?? sizedDialects) {
    const { line, wrong } = await judgeGiven(values.schemas, name)
    console.log(line)
    if (wrong > 0) process.exitCode = 1
  }
} else if (values.sizes) {
  console.log(sizesHead)
  for (const name of values.dialects?.split(',') ?? sizedDialects) {
    for (const mode of ['required', 'auto'] as const) {
      for (const count of [1, 20, 100, 512]) console.log(printSize(await measureSize(name, count, { mode })))
    }
  }
} else {
  const named = values.dialects?.split(',')
  const tried = dialects.filter(({ name }) => named === undefined || named.includes(name))
  let [wrong, right, of] = [0, 0, 0]
  for await (const row of judgeAll(tried)) {
    console.log(row.line)
    wrong += row.wrong
    right += row.right
    of += row.of
  }
  const cells = tried.length * schemaCount * choiceCount
  console.log(`\n${tried.length} dialects × ${schemaCount} schemas × ${choiceCount} choices = ${cells} grammars.`)
  console.log(`${right} of ${of} texts judged as they should be; ${wrong} grammars are wrong.`)
  process.exitCode = wrong === 0 ? 0 : 1
}
