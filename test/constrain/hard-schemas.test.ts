import { deepEqual } from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { findDialect } from '../../src/dialects/registry.ts'
import { constrain } from '../../src/engine/constrain/constrain.ts'
import { matchGrammar } from '../../src/engine/constrain/grammar/match.ts'
import { printEbnf } from '../../src/engine/constrain/grammar/print.ts'
import { printCalls } from '../../src/engine/print.ts'
import type { Json } from '../../src/protocol/json.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { checkArguments } from '../../src/schema/check.ts'
import { compileParameters } from '../../src/schema/compile.ts'
import { hear } from '../laws/hear.ts'
import { hardSamples } from './hard-schemas.ts'
import { compileEbnf } from './oracle.ts'

/** One for each way to write arguments. */
const forms = ['hermes', 'jamba', 'toolify-xml', 'qwen3-coder', 'kimi-k3', 'roo-xml', 'pythonic', 'gemma4', 'yaml-xml']

describe.each(forms)('%s', (name) => {
  const dialect = findDialect(name)
  if (dialect === undefined) throw new Error(`no dialect ${name}`)

  test.each(hardSamples)('$name', ({ schema, valid, invalid, widened }) => {
    const tool: Tool = { kind: 'function', name: 'set_it', parameters: schema }
    const made = constrain({ dialect, tools: [tool], choice: { mode: 'required' } })
    const keywords = made.widened.map(({ keyword }) => keyword)
    const say = (args: Json) =>
      printCalls(dialect, [{ id: 'call_1', name: tool.name, arguments: JSON.stringify(args) }], [tool])
    if (widened !== undefined) expect(keywords).toContain(widened)
    for (const args of valid) deepEqual(matchGrammar(made.tree, say(args)), { fits: true }, say(args))
    if (keywords.length > 0) return
    for (const args of invalid) {
      // Between tags a text may look like anything: what counts is what is understood.
      const [call] = hear(dialect, [tool], [say(args)]).calls
      const faults = call === undefined ? [] : checkArguments(compileParameters(schema), JSON.parse(call.arguments))
      if (matchGrammar(made.tree, say(args)).fits !== false) expect(faults, say(args)).toEqual([])
    }
  })

  test('the grammars of all of them are ones that xgrammar can compile', async () => {
    const refused: string[] = []
    for (const { name, schema } of hardSamples) {
      const tool: Tool = { kind: 'function', name: 'set_it', parameters: schema }
      const { tree } = constrain({ dialect, tools: [tool], choice: { mode: 'required' } })
      await compileEbnf(printEbnf(tree)).then(
        (oracle) => oracle.dispose(),
        () => refused.push(name),
      )
    }
    expect(refused).toEqual([])
  })
})
