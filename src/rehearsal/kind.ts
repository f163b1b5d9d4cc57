import { parse } from 'yaml'
import { z } from 'zod'
import { type Reading, text, truth, wholeNumber } from '../config/values/fields.ts'
import { defineKind } from '../upstreams/kind.ts'
import { createRehearsalUpstream } from './rehearsal.ts'

/** The stand-in. No registry has it: what puts a gateway together adds it. */
export const rehearsal = defineKind({
  kind: 'rehearsal',
  fields: () => ({
    prose: truth.default(true).describe('Whether it says a sentence before it calls.'),
    thinking: truth.default(false).describe('Whether it thinks first.'),
    calls: wholeNumber(1, 128)
      .optional()
      .describe('How many calls it makes when it makes any. Default: those asked for.'),
    script: z
      .union([text('a file'), z.array(z.string({ error: 'an answer' }))], {
        error: 'a list of answers or a file with one',
      })
      .default([])
      .describe('Answers to give word for word, one a request: a list, or a YAML or JSON file that holds one.'),
    usage: truth.default(true).describe('Whether it reports usage.'),
    piece_size: wholeNumber(1, 1_000_000).default(4).describe('Characters in one piece of its answer.'),
    cut_seed: wholeNumber(0, 2 ** 31)
      .optional()
      .describe('Pieces of 1 to 12 characters instead, the same for the same seed.'),
    tokens_per_second: z
      .number({ error: 'a number from 0' })
      .nonnegative({ error: 'a number from 0' })
      .default(0)
      .describe('Pieces in a second; 0: all at once.'),
  }),
  toSettings: ({ calls, cut_seed: seed, piece_size, tokens_per_second, script, ...settings }, reading) => ({
    ...settings,
    script: readScript(script, reading),
    pieceSize: piece_size,
    tokensPerSecond: tokens_per_second,
    ...(calls !== undefined && { calls }),
    ...(seed !== undefined && { cut: { seed } }),
  }),
  create: (name, settings) => createRehearsalUpstream({ ...settings, name }),
})

function readScript(script: string | readonly string[], { problem, readFile }: Reading): readonly string[] {
  if (typeof script !== 'string') return script
  try {
    const answers: unknown = parse(readFile(script) ?? 'null')
    if (Array.isArray(answers) && answers.every((answer) => typeof answer === 'string')) return answers
    problem('script', answers === null ? `there is no file "${script}"` : `expected a list of texts in "${script}"`)
  } catch (error) {
    problem('script', `"${script}" cannot be read (${(error as Error).message})`)
  }
  return []
}
