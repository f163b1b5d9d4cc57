import { deepEqual } from 'node:assert/strict'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { dialects } from '../../src/dialects/registry.ts'
import type { Constrained } from '../../src/engine/constrain/constrain.ts'
import type { Oracle } from './oracle.ts'
import type { Sample } from './schemas.ts'
import { grammarOf, say, spaced, toolFor, tools, tried } from './speech.ts'

const timeout = 120_000

/** A grammar takes what the printer writes, and nothing that is broken or that a schema forbids. */
describe.each(dialects)('$name', { timeout }, (dialect) => {
  let oracle: Oracle
  let made: Constrained
  beforeAll(async () => {
    const grammar = await grammarOf({ dialect, tools, choice: { mode: 'required' } })
    oracle = grammar.oracle
    made = grammar.made
  }, timeout)
  afterAll(() => oracle.dispose())

  async function refused(texts: readonly string[]): Promise<readonly string[]> {
    const out: string[] = []
    for (const text of texts) if (!(await oracle.accepts(text))) out.push(text)
    return out
  }

  const isWidened = (sample: Sample): boolean => made.widened.some(({ tool }) => tool === toolFor(sample).name)

  test('every printed call is taken', async () => {
    const texts = tried.flatMap((sample) =>
      sample.valid.flatMap((args) => [
        say(dialect, [toolFor(sample), args]),
        say(dialect, [toolFor(sample), spaced(args)]),
      ]),
    )
    deepEqual(await refused(texts), [])
  })

  test('a call that its schema forbids is not', async () => {
    const texts = tried
      .filter((sample) => !isWidened(sample))
      .flatMap((sample) => sample.invalid.map((args) => say(dialect, [toolFor(sample), args])))
    deepEqual(await refused(texts), texts)
  })

  test('neither is one that is cut off, has an unknown name, or is broken anywhere', async () => {
    const texts = tried.flatMap((sample) => {
      const [args = {}] = sample.valid
      const text = say(dialect, [toolFor(sample), args])
      const half = Math.floor(text.length / 2)
      return [
        text.slice(0, -1),
        text.slice(0, half),
        `${text}}`,
        say(dialect, [{ kind: 'function', name: 'unheard_of' }, args]),
        text.slice(1),
      ]
    })
    deepEqual(await refused(texts), texts)
  })
})
