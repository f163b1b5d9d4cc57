import { z } from 'zod'
import { strict, text, wholeNumber } from './fields.ts'

const keyWords = 'a key, env:NAME, or an object with key or hash'
const hashWords = 'sha256: and 64 hexadecimal digits, as `dragoman keys new` prints it'
const nameWords = 'a name of up to 64 letters, digits and . _ @ -'
const expiresWords = 'a date such as 2027-01-31, or with a time such as 2027-01-31T12:00:00Z'
const hashPattern = /^sha256:[0-9a-f]{64}$/i

export const isKeyName = (name: string): boolean => /^[\w.@-]{1,64}$/.test(name)

/** One of `keys`: the key alone, or with what its owner may do. */
export function createKeySchema() {
  return z.union(
    [
      text(keyWords),
      strict({
        name: z
          .string({ error: nameWords })
          .refine(isKeyName, { error: nameWords })
          .optional()
          .describe('Whose key it is, for logs and metrics. Default: its variable, or its place in the list.'),
        key: text('a key or env:NAME').optional().describe('The key, best as env:NAME.'),
        hash: z
          .string({ error: hashWords })
          .regex(hashPattern, { error: hashWords })
          .optional()
          .describe('The SHA-256 of the key, in place of the key itself.'),
        requests_per_minute: wholeNumber(1, 10_000_000).optional().describe('The most requests in any 60 seconds.'),
        tokens_per_minute: wholeNumber(1, 1_000_000_000)
          .optional()
          .describe('The most tokens in any 60 seconds, prompts and answers together.'),
        parallel: wholeNumber(1, 100_000).optional().describe('The most requests at the same time.'),
        models: z
          .array(text('the name of a model, * for anything'), { error: 'a list of models' })
          .min(1, { error: 'a list of models' })
          .optional()
          .describe('The models it may use, like qwen3 or qwen*. Default: all.'),
        expires: z
          .string({ error: expiresWords })
          .refine((date) => toExpiry(date) !== undefined, { error: expiresWords })
          .optional()
          .describe('The last day it works (in UTC), or the moment it ends.'),
      }),
    ],
    { error: keyWords },
  )
}

export type KeyFile = z.output<ReturnType<typeof createKeySchema>>

/** A day lasts to its end; undefined for what is no date. */
export function toExpiry(date: string): number | undefined {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(date)
  if (!isDay && !/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(date)) return undefined
  const time = Date.parse(date)
  if (Number.isNaN(time) || (isDay && new Date(time).toISOString().slice(0, 10) !== date)) return undefined
  return isDay ? time + 86_400_000 : time
}
