import { expect, test } from 'vitest'
import { toAnswerSchema } from '../../src/engine/constrain/answer-schema.ts'
import { compileSchema } from './oracle.ts'
import { toolFor, tried } from './speech.ts'

/** What xgrammar makes of these by itself is another matter. */
const judged = tried.filter(({ name }) => name !== 'open to others' && name !== 'an object')

test.each(judged)('the schema of a whole answer, with $name, takes its call', async (sample) => {
  const tool = toolFor(sample)
  const oracle = await compileSchema(toAnswerSchema([tool]))
  const [args = {}] = sample.valid
  expect(await oracle.accepts(JSON.stringify({ name: tool.name, parameters: args }))).toBe(true)
  expect(await oracle.accepts(JSON.stringify({ name: 'unheard_of', parameters: args }))).toBe(false)
  oracle.dispose()
})
