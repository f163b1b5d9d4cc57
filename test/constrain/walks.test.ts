import { deepEqual } from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Dialect } from '../../src/dialects/dialect.ts'
import { dialects } from '../../src/dialects/registry.ts'
import type { Answer } from '../../src/protocol/fold.ts'
import type { ToolChoice } from '../../src/protocol/tool.ts'
import { checkArguments } from '../../src/schema/check.ts'
import { compileParameters } from '../../src/schema/compile.ts'
import { cut, hear } from '../laws/hear.ts'
import { createRandom } from './random.ts'
import { grammarOf, isFull, say, tools } from './speech.ts'

const timeout = 300_000
const walks = isFull ? 60 : 6
const most = 300

/** What is wrong with an answer that a grammar allowed. */
function faultsOf(dialect: Dialect, said: string, choice: ToolChoice): readonly string[] {
  const answer = hear(dialect, tools, [said], { parallel: true })
  const faults = answer.calls.flatMap(({ name, arguments: json }) => {
    const tool = tools.find((one) => one.name === name)
    if (tool === undefined) return [`unknown ${name}`]
    return checkArguments(compileParameters(tool.parameters), JSON.parse(json)).map(
      ({ message }) => `${name}: ${message}`,
    )
  })
  if (choice.mode === 'required' && answer.calls.length === 0) faults.push('no call')
  if (choice.mode === 'required' && answer.content.trim() !== '') faults.push(`words: ${answer.content}`)
  if (!isSame(answer, hear(dialect, tools, cut(said, [1]), { parallel: true }))) faults.push('cut')
  return faults.length === 0 ? [] : [...faults, said]
}

function isSame(left: Answer, right: Answer): boolean {
  return JSON.stringify({ ...left, notes: [] }) === JSON.stringify({ ...right, notes: [] })
}

/**
 * A model that chooses by chance among the tokens xgrammar's mask allows is understood, whole and character by character,
 * and has made valid calls.
 */
describe.each(dialects)('$name', { timeout }, (dialect) => {
  test('whatever a grammar for calls lets a model say is valid calls', async () => {
    const choice = { mode: 'required' } as const
    const { oracle } = await grammarOf({ dialect, tools, choice, parallel: true })
    const random = createRandom(7)
    const faults: string[] = []
    for (let walk = 0; walk < walks; walk++) {
      const said = await oracle.walk(random, most)
      if (said !== undefined) faults.push(...faultsOf(dialect, said, choice))
    }
    oracle.dispose()
    deepEqual(faults, [])
  })

  test('so are the calls a grammar for words and calls lets it make', async () => {
    const choice = { mode: 'auto' } as const
    const { oracle } = await grammarOf({ dialect, tools, choice, parallel: true, others: dialects })
    const random = createRandom(11)
    // How a call begins, so that chance need not find it.
    const beginning = beginningOf(dialect)
    const faults: string[] = []
    for (let walk = 0; walk < walks; walk++) {
      const said = await oracle.walk(random, most, beginning)
      if (said !== undefined) faults.push(...faultsOf(dialect, said, choice))
    }
    oracle.dispose()
    deepEqual(faults, [])
  })
})

/** What two calls of different tools have in common at their start, on a line of its own. */
function beginningOf(dialect: Dialect): string {
  const [first, second] = tools.slice(0, 2).map((tool) => say(dialect, [tool, {}]))
  let length = 0
  while (first?.[length] !== undefined && first[length] === second?.[length]) length++
  return `\n${first?.slice(0, length) ?? ''}`
}
