import { deepEqual } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { dialects } from '../../src/dialects/registry.ts'
import { type ConstrainOptions, constrain, finish } from '../../src/engine/constrain/constrain.ts'
import { structuralTagSteps } from '../../src/engine/constrain/structural-tag.ts'
import { compileStructuralTag, type Oracle } from './oracle.ts'
import { say, toolFor, tools, tried } from './speech.ts'

const timeout = 120_000
const words = 'Let me see: 2 < 3.\n'
/** What people write that some dialect begins its calls with. */
const ordinary =
  'A list [1, {"a": 2}], `List<Task>`, {"name": "Bob"}:\n```json\n[{"name": "x"}]\n```\n>>> import functools\n'

function compile(options: ConstrainOptions): Promise<Oracle> {
  return compileStructuralTag(finish(structuralTagSteps(options)).tag)
}

describe.each(dialects)('$name', { timeout }, (dialect) => {
  test('words pass, printed calls are taken, and calls that are wrong are not', async () => {
    const oracle = await compile({ dialect, tools, choice: { mode: 'auto' }, parallel: true })
    const widened = new Set(constrain({ dialect, tools, choice: { mode: 'auto' } }).widened.map(({ tool }) => tool))
    const expected = [words, ordinary].map((text) => ({ text, isTaken: true }))
    for (const sample of tried) {
      const tool = toolFor(sample)
      for (const args of sample.valid) expected.push({ text: words + say(dialect, [tool, args]), isTaken: true })
      if (widened.has(tool.name)) continue
      for (const args of sample.invalid) expected.push({ text: words + say(dialect, [tool, args]), isTaken: false })
    }
    const found: typeof expected = []
    for (const { text } of expected) found.push({ text, isTaken: await oracle.accepts(text) })
    oracle.dispose()
    deepEqual(found, expected)
  })

  test('a forced call is calls and nothing else', async () => {
    const oracle = await compile({ dialect, tools, choice: { mode: 'required' }, parallel: false })
    const [sample] = tried
    const text = sample === undefined ? '' : say(dialect, [toolFor(sample), {}])
    deepEqual(
      [await oracle.accepts(text), await oracle.accepts(words), await oracle.accepts(words + text)],
      [true, false, false],
    )
    oracle.dispose()
  })
})
