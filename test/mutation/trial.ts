import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { argv, exit } from 'node:process'
import { pathToFileURL } from 'node:url'

/**
 * node trial.ts FILE MUTANT: reads every golden, and some printed calls of every dialect, with the text of FILE replaced
 * by that of MUTANT. Ends with 0 when nothing was noticed.
 */
const [, , file = '', mutant = ''] = argv
const url = pathToFileURL(file).href
registerHooks({
  load: (asked, context, next) =>
    asked === url
      ? { format: 'module-typescript', source: readFileSync(mutant, 'utf8'), shortCircuit: true }
      : next(asked, context),
})

try {
  const { isDeepStrictEqual } = await import('node:util')
  const { cuttings, goldens, read } = await import('../goldens/read.ts')
  for (const golden of [...goldens.values()].flat()) {
    for (const size of cuttings) if (!isDeepStrictEqual(read(golden, size), golden.expected)) exit(1)
  }
  const { default: fc } = await import('fast-check')
  const { dialects } = await import('../../src/dialects/registry.ts')
  const { speak, speeches } = await import('../laws/arbitraries.ts')
  const { cut, hear, toPlain } = await import('../laws/hear.ts')
  const samples = fc.sample(speeches, { seed: 1, numRuns: 12 })
  for (const dialect of dialects) {
    for (const speech of samples) {
      const { calls, tools, text } = speak(dialect, speech)
      const answer = hear(dialect, tools, cut(text, speech.sizes))
      if (!isDeepStrictEqual(toPlain(answer.calls), toPlain(calls)) || answer.content !== '') exit(1)
    }
  }
} catch {
  exit(1)
}
