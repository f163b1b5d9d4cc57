import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Case } from '../src/cli/conformance/cases.ts'
import type { Dialect } from '../src/dialects/dialect.ts'
import { dialects, findDialect } from '../src/dialects/registry.ts'
import type { Tool } from '../src/protocol/tool.ts'
import type { Golden } from '../test/goldens/golden.ts'
import { goldens, tools } from '../test/goldens/read.ts'
import { speak, speeches } from '../test/laws/arbitraries.ts'

/** Cases for parsers of others: the goldens that need nothing but a text and its tools, and samples of the laws. */
export function conformanceCases(): readonly Case[] {
  const fromGoldens = [...goldens].flatMap(([file, all]) => all.flatMap((golden) => fromGolden(file, golden)))
  return [...fromGoldens, ...dialects.flatMap(samplesOf)]
}

export function writeConformanceCases(folder: string): void {
  const lines = conformanceCases().map((one) => `${JSON.stringify(one)}\n`)
  writeFileSync(join(folder, 'conformance.jsonl'), lines.join(''))
}

/** Thoughts, endings and the request are not a parser's of calls. */
function fromGolden(file: string, { title, dialect, given, said, expected }: Golden): readonly Case[] {
  const { ends, startsIn, unknownTools, parallel, request } = given
  const isPlain = ends === 'stop' && startsIn === 'text' && unknownTools === 'auto' && parallel === undefined
  if (!isPlain || request !== undefined || expected.reasoning !== '' || findDialect(dialect) === undefined) return []
  // The other files are about what is a call and what is an example, whatever the dialect.
  const tier = expected.notes.length > 0 ? 'damaged' : file === dialect ? 'strict' : 'around'
  return [toCase(`${dialect}: ${title}`, dialect, tier, said, tools, expected.calls, expected.text)]
}

const samplesEach = 4

function samplesOf(dialect: Dialect): readonly Case[] {
  const spoken = fc.sample(speeches, { seed: 1, numRuns: 30 }).map((speech) => speak(dialect, speech))
  // Half a character cannot be told in every language.
  const fit = spoken.filter(({ text, calls }) => text.isWellFormed() && calls.every((one) => one.arguments !== '{}'))
  return fit.slice(0, samplesEach).map(({ text, calls, tools }, nth) => {
    const made = calls.map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments) as unknown }))
    return toCase(`${dialect.name}: sample ${nth + 1}`, dialect.name, 'sample', text, tools, made, '')
  })
}

function toCase(
  id: string,
  format: string,
  tier: Case['tier'],
  text: string,
  offered: readonly Tool[],
  calls: Golden['expected']['calls'],
  content: string,
): Case {
  return {
    id,
    format,
    tier,
    text,
    tools: offered.map(({ name, parameters }) => ({ type: 'function', function: { name, parameters } })),
    expected: {
      content: content === '' ? null : content,
      tool_calls: calls.map((call) => ({ name: call.name, arguments: JSON.stringify(call.arguments) })),
    },
  }
}
