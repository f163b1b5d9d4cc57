import { readFileSync } from 'node:fs'
import { cpuUsage } from 'node:process'
import { dialects, findDialect } from '../../src/dialects/registry.ts'
import { constrain } from '../../src/engine/constrain/constrain.ts'
import { printEbnf } from '../../src/engine/constrain/grammar/print.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { compileEbnf } from './oracle.ts'

/** More than this is felt. */
const mostMs = 250

/** Schemas of a file with JSON lines `{id, schema}`, each as a tool's parameters in one dialect: does its grammar compile, and how long is it built? */
export async function judgeGiven(
  file: string,
  name: string,
): Promise<{ readonly line: string; readonly wrong: number }> {
  const dialect = findDialect(name)
  if (dialect === undefined) throw new Error(`no dialect ${name}`)
  const lines = readFileSync(file, 'utf8').split('\n')
  const given = lines
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { id: string; schema: JsonObject })
  const refused: string[] = []
  const slow: string[] = []
  let longest = 0
  let widened = 0
  for (const { id, schema } of given) {
    const tool: Tool = { kind: 'function', name: 'set_it', parameters: { ...schema, type: 'object' } }
    const before = cpuUsage()
    const made = constrain({ dialect, tools: [tool], choice: { mode: 'required' }, others: dialects })
    const grammar = printEbnf(made.tree)
    const { user, system } = cpuUsage(before)
    const tookMs = (user + system) / 1000
    longest = Math.max(longest, tookMs)
    if (tookMs > mostMs) slow.push(`${id} (${tookMs.toFixed(0)} ms)`)
    if (made.widened.length > 0) widened += 1
    await compileEbnf(grammar).then(
      (oracle) => oracle.dispose(),
      () => refused.push(id),
    )
  }
  const told = [...refused.map((id) => `refused: ${id}`), ...slow.map((id) => `slow: ${id}`)]
  const figures = `${given.length - refused.length} of ${given.length} compile, ${widened} say less than the schema, built in ${longest.toFixed(0)} ms at most`
  return { line: [`${name}: ${figures}`, ...told].join('\n  '), wrong: told.length }
}
