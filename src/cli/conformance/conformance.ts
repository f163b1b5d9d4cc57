import { tryEndpoint } from '../../doctor/endpoint.ts'
import { defineVerb, UsageError } from '../arguments.ts'
import { packageFile } from '../package.ts'
import { Refusal, readLines, readText } from '../terminal/input.ts'
import { printTable } from '../terminal/layout.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type Case, type Score, tiers, tryParser } from './cases.ts'

/** Made by `npm run build`. */
const dataSet = packageFile('dist/conformance.jsonl')

export const conformance = defineVerb({
  name: 'conformance',
  summary: 'try an endpoint, or a parser of your own, with cases of tool calls',
  flags: {
    url: {
      type: 'text',
      value: 'URL',
      help: 'the base URL of an OpenAI-compatible endpoint, like http://127.0.0.1:8000/v1',
    },
    model: { type: 'text', value: 'NAME', help: 'the model to ask there' },
    parser: { type: 'text', value: 'COMMAND', help: 'a program that reads cases on standard input and writes calls' },
    cases: { type: 'text', value: 'FILE', help: 'cases as JSON Lines (default: those that come with Dragoman)' },
    format: { type: 'text', value: 'A,B', help: 'only these formats (`dragoman dialects` lists them)' },
    failures: { type: 'switch', help: 'also list the cases that were read differently' },
    print: { type: 'switch', help: 'print the cases' },
    json: { type: 'switch', help: 'print the result as JSON' },
  },
  details: [
    'An endpoint is asked a few questions, streamed and whole: the answers are checked, and the shape of each event. Its key is taken from OPENAI_API_KEY.',
    'A parser gets a line {"id", "format", "tools", "pieces"} for each case and each way to cut it, and answers with {"id", "content", "tool_calls": [{"name", "arguments"}]}, or {"id", "skip": true}.',
    'Exit code 0 means that all is right, 1 that something is not.',
  ],
  examples: [
    ['dragoman conformance --url http://127.0.0.1:8000/v1 --model qwen3', 'tries an endpoint'],
    ["dragoman conformance --parser 'python3 adapter.py'", 'tries a parser with all cases'],
    ['dragoman conformance --print > cases.jsonl', 'writes the cases to a file'],
  ],
  async run({ url, model, parser, cases: path = dataSet, format, failures = false, print, json = false }, _, terminal) {
    if (print === true) {
      terminal.write(await readText(terminal, path))
      return 0
    }
    if (url !== undefined) {
      if (model === undefined) throw new UsageError('Which model shall be asked? Name it with --model NAME.')
      return await runEndpoint(url, model, json, terminal)
    }
    if (parser === undefined) throw new UsageError('What shall be tried? Pass --url URL, or --parser COMMAND.')
    const formats = format?.split(',')
    const cases: Case[] = []
    for await (const line of readLines(terminal, path)) if (line !== '') cases.push(JSON.parse(line) as Case)
    const chosen = cases.filter((one) => formats?.includes(one.format) ?? true)
    const scores = await tryParser(parser, chosen).catch((error: Error) => {
      throw new Refusal(error.message)
    })
    if (json) terminal.write(`${JSON.stringify(scores.map(({ of: { id }, ...score }) => ({ id, ...score })))}\n`)
    else terminal.write(`${printScores(scores, failures).join('\n')}\n`)
    return scores.length > 0 && scores.every(isRight) ? 0 : 1
  },
})

const isRight = ({ calls, content, cutting }: Score): boolean => calls && content && cutting

async function runEndpoint(url: string, model: string, json: boolean, terminal: Terminal): Promise<number> {
  const key = terminal.surroundings.environment['OPENAI_API_KEY']
  const rows = []
  for await (const row of tryEndpoint({ url, model, key }, new AbortController().signal)) {
    rows.push(row)
    if (json) continue
    const how = row.streamed ? 'streamed' : 'whole'
    const isFine = row.isRight && row.problems.length === 0
    terminal.write(`${isFine ? '✓' : '✕'} ${row.question}, ${how}${row.isRight ? '' : ': not the answer asked for'}\n`)
    for (const problem of row.problems) terminal.write(`    ${problem}\n`)
  }
  const answered = rows.filter((row) => row.isRight).length
  const shaped = rows.filter(({ problems }) => problems.length === 0).length
  if (json) terminal.write(`${JSON.stringify(rows)}\n`)
  else terminal.write(`\n${answered} of ${rows.length} answers are right, ${shaped} have the right shape.\n`)
  return answered === rows.length && shaped === rows.length ? 0 : 1
}

function printScores(scores: readonly Score[], failures: boolean): readonly string[] {
  const share = (of: readonly Score[], what: 'calls' | 'content' | 'cutting'): string =>
    `${Math.floor((of.filter((one) => one[what]).length / of.length) * 1000) / 10}%`
  const row = (name: string, of: readonly Score[]) => [
    name,
    String(of.length),
    ...(['calls', 'content', 'cutting'] as const).map((what) => (of.length === 0 ? '' : share(of, what))),
  ]
  const byTier = tiers.map((tier) =>
    row(
      tier,
      scores.filter(({ of }) => of.tier === tier),
    ),
  )
  const formats = [...Map.groupBy(scores, ({ of }) => of.format)].map(([name, of]) => row(name, of))
  const table = printTable([['', 'cases', 'calls', 'content', 'cutting'], ...formats, ...byTier, row('all', scores)])
  const missed = failures ? scores.filter((score) => !isRight(score)) : []
  return [
    ...table,
    ...missed.map(({ of, ...score }) => {
      const wrong = (['calls', 'content', 'cutting'] as const).filter((what) => !score[what])
      return `${of.id}: ${wrong.join(', ')}`
    }),
  ]
}
