import { deepEqual } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { dialects } from '../../src/dialects/registry.ts'
import { constrain } from '../../src/engine/constrain/constrain.ts'
import { matchGrammar } from '../../src/engine/constrain/grammar/match.ts'
import { readTextGrammar } from '../../src/engine/constrain/texts/text-grammar.ts'
import { asFunction, type TextGrammar } from '../../src/protocol/custom.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { hear } from '../laws/hear.ts'
import { codexPatch, codexScript } from './codex-grammars.ts'
import { createRandom } from './random.ts'
import { grammarOf, isFull, say } from './speech.ts'

/** Calls of custom tools are held to the tool's own grammar, Lark or regex. */

const timeout = 120_000
const walks = isFull ? 40 : 4
const most = 400

const sum = 'start: expr\nexpr: term ("+" term)*\nterm: INT | "(" expr ")"\n%import common.INT'
/** Chance comes to its end, and meets the marks of tags on the way. */
const lines = 'start: line+ "."\nline: ("+" | "-") /[^\\n.]*/ LF\n%import common.LF'

interface Case {
  readonly name: string
  readonly grammar: TextGrammar
  readonly fit: string
  readonly unfit: string
  /** No mark of a dialect can stand in such a text. */
  readonly isPlain?: true
}

const cases: readonly Case[] = [
  {
    name: 'apply_patch',
    grammar: { syntax: 'lark', definition: codexPatch },
    fit: '*** Begin Patch\n*** Update File: a "b".ts\n@@\n-const a = \'\\n\'\n+<b>1</b>\n*** End Patch',
    unfit: '*** Begin Patch\n*** Update File: a.ts\nconst a = 1\n*** End Patch',
  },
  { name: 'exec', grammar: { syntax: 'lark', definition: codexScript }, fit: 'text("a\\n")\n', unfit: '' },
  { name: 'lines', grammar: { syntax: 'lark', definition: lines }, fit: '+a <b\n-\n.', unfit: '+a\nb\n.' },
  { name: 'sum', grammar: { syntax: 'lark', definition: sum }, fit: '1+(2+(3))', unfit: '1+(2', isPlain: true },
  {
    name: 'day',
    grammar: { syntax: 'regex', definition: '^\\d{4}-\\d\\d-\\d\\d$' },
    fit: '2026-11-19',
    unfit: '19 November',
    isPlain: true,
  },
]

const toolOf = ({ name, grammar }: Pick<Case, 'name' | 'grammar'>): Tool => {
  return { kind: 'custom', name, format: { type: 'grammar', grammar: { ...grammar } } }
}
const choice = { mode: 'required' } as const

describe.each(dialects)('$name', { timeout }, (dialect) => {
  test.each(cases)('a call of $name is held to its grammar', async ({ fit, unfit, isPlain = false, ...named }) => {
    const tool = toolOf(named)
    const { oracle, made } = await grammarOf({ dialect, tools: [tool], choice })
    const called = (input: string) => say(dialect, [asFunction(tool), { input }])
    const isSaid = made.widened.length === 0
    deepEqual([await oracle.accepts(called(fit)), await oracle.accepts(called(unfit))], [true, !isSaid])
    if (isPlain) deepEqual(made.widened, [])
    oracle.dispose()
  })

  test.each(cases)('whatever it lets a model say is a call of $name whose text fits', async (named) => {
    const tool = toolOf(named)
    const { oracle, made } = await grammarOf({ dialect, tools: [tool], choice, parallel: false })
    const texts = readTextGrammar(named.grammar)
    const random = createRandom(5)
    const faults: string[] = []
    for (let walk = 0; walk < walks && made.widened.length === 0; walk++) {
      const said = await oracle.walk(random, most)
      if (said === undefined) continue
      const [call] = hear(dialect, [asFunction(tool)], [said], { parallel: false }).calls
      const { input } = JSON.parse(call?.arguments ?? '{}') as { readonly input?: unknown }
      if (texts === undefined || typeof input !== 'string' || !matchGrammar(texts, input).fits) faults.push(said)
    }
    oracle.dispose()
    deepEqual(faults, [])
  })
})

test.each([
  ['hermes', 'start: /a(?=b)/'],
  ['qwen3-coder', 'start: "<" start? ">"'],
])('in %s, of the grammar %s the text may be anything, and that is told', (name, definition) => {
  const dialect = dialects.find((one) => one.name === name)
  if (dialect === undefined) throw new Error(`no ${name}`)
  const tool = toolOf({ name: 'odd', grammar: { syntax: 'lark', definition } })
  deepEqual(constrain({ dialect, tools: [tool], choice }).widened, [{ tool: 'odd', keyword: 'grammar' }])
})
