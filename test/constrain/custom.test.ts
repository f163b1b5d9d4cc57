import { deepEqual } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { dialects } from '../../src/dialects/registry.ts'
import { asFunction } from '../../src/protocol/custom.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { codexPatch, codexScript } from './codex-grammars.ts'
import { grammarOf, say } from './speech.ts'

const custom = (name: string, syntax: string, definition: string): Tool => ({
  kind: 'custom',
  name,
  format: { type: 'grammar', grammar: { syntax, definition } },
})
const sum = 'start: expr\nexpr: term ("+" term)*\nterm: INT | "(" expr ")"\n%import common.INT'

interface Case {
  readonly tool: Tool
  readonly fit: string
  readonly unfit: string
  /** No mark of a dialect can stand in such a text. */
  readonly isPlain?: true
}

const cases: readonly Case[] = [
  {
    tool: custom('apply_patch', 'lark', codexPatch),
    fit: '*** Begin Patch\n*** Update File: a "b".ts\n@@\n-const a = \'\\n\'\n+<b>1</b>\n*** End Patch',
    unfit: '*** Begin Patch\n*** Update File: a.ts\nconst a = 1\n*** End Patch',
  },
  { tool: custom('exec', 'lark', codexScript), fit: 'text("a\\n")\n', unfit: '' },
  { tool: custom('sum', 'lark', sum), fit: '1+(2+(3))', unfit: '1+(2', isPlain: true },
  { tool: custom('day', 'regex', '^\\d{4}-\\d\\d-\\d\\d$'), fit: '2026-11-19', unfit: '19 November', isPlain: true },
]

describe.each(dialects)('$name', { timeout: 120_000 }, (dialect) => {
  test.each(cases)('a call of $tool.name is held to its grammar', async ({ tool, fit, unfit, isPlain = false }) => {
    const { oracle, made } = await grammarOf({ dialect, tools: [tool], choice: { mode: 'required' } })
    const called = (input: string) => say(dialect, [asFunction(tool), { input }])
    const isSaid = !made.widened.some(({ keyword }) => keyword === 'grammar')
    if (isPlain) deepEqual(made.widened, [])
    deepEqual([await oracle.accepts(called(fit)), await oracle.accepts(called(unfit))], [true, !isSaid])
    oracle.dispose()
  })
})

test('of a grammar that is not read here, the text may be anything', async () => {
  const [dialect] = dialects
  if (dialect === undefined) return
  const tool = custom('odd', 'lark', 'start: /a(?=b)/')
  const { made } = await grammarOf({ dialect, tools: [tool], choice: { mode: 'required' } })
  deepEqual(made.widened, [{ tool: 'odd', keyword: 'grammar' }])
})
