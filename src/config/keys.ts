import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type Budget, budgetFields, toBudget } from './budgets.ts'
import type { Problem } from './problems.ts'
import { strict, text, truth, wholeNumber } from './values/fields.ts'

/** One client key: its owner and its limits. */
export interface KeySettings extends Budget {
  /** For logs and metrics. */
  readonly name: string
  /** The SHA-256 of the key, in hexadecimal. */
  readonly hash: string
  /** The key itself, where the configuration has it. */
  readonly key?: string
  readonly requestsPerMinute?: number | undefined
  readonly tokensPerMinute?: number | undefined
  readonly parallel?: number | undefined
  /** What it takes is counted for its team, too. */
  readonly team?: string | undefined
  /** It may make and take away keys. */
  readonly isAdmin?: boolean | undefined
  /** Names of models, `*` standing for anything; absent: all. */
  readonly models?: readonly string[] | undefined
  /** Milliseconds since 1970 from which on it opens nothing. */
  readonly expiresAt?: number | undefined
}

export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

interface KeyReading {
  readonly readSecret: (value: string, path: readonly PropertyKey[]) => string
  readonly problems: Problem[]
}

export function toKeySettings(keys: readonly KeyFile[], { readSecret, problems }: KeyReading): readonly KeySettings[] {
  const read = keys.flatMap((file, index): KeySettings[] => {
    const path = ['keys', index]
    if (typeof file === 'string') {
      if (keys.indexOf(file) < index) return []
      return [{ name: nameOf(file, index), ...secretOf(readSecret(file, path)) }]
    }
    const { name, key, hash, expires, models, parallel } = file
    if ((key === undefined) === (hash === undefined)) {
      const message = 'needs either `key` or `hash`. Run `dragoman keys new` to make one'
      problems.push({ path, message: key === undefined ? message : 'has both `key` and `hash`. Leave one out' })
    }
    const secret = hash === undefined ? secretOf(key === undefined ? '' : readSecret(key, [...path, 'key'])) : undefined
    return [
      {
        name: name ?? nameOf(key, index),
        ...(secret ?? { hash: hash?.slice('sha256:'.length).toLowerCase() ?? '' }),
        requestsPerMinute: file.requests_per_minute,
        tokensPerMinute: file.tokens_per_minute,
        parallel,
        models,
        team: file.team,
        isAdmin: file.admin,
        ...toBudget(file),
        expiresAt: expires === undefined ? undefined : toExpiry(expires),
      },
    ]
  })
  if (problems.length === 0) checkTwins(read, problems)
  return read
}

function secretOf(key: string) {
  return { key, hash: hashKey(key) }
}

/** A variable's name says whose key it is; a key in the clear must not name itself. */
function nameOf(key: string | undefined, index: number): string {
  const variable = key?.startsWith('env:') ? key.slice('env:'.length) : ''
  return isKeyName(variable) ? variable : `key-${index + 1}`
}

function checkTwins(keys: readonly KeySettings[], problems: Problem[]): void {
  for (const [index, { name, hash }] of keys.entries()) {
    const twin = keys.findIndex((other) => other.name === name || other.hash === hash)
    if (twin === index) continue
    const what = keys[twin]?.hash === hash ? 'is the same key' : `has the same name "${name}"`
    problems.push({ path: ['keys', index], message: `${what} as keys[${twin}]. Keep one of them` })
  }
}

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
        ...budgetFields,
        team: text('the name of a team')
          .optional()
          .describe('Its team, whose budget stands under `teams`: what this key takes counts for it as well.'),
        admin: truth.optional().describe('Whether it may make, rotate and revoke keys while the gateway runs.'),
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

const entrySchema = createKeySchema().options[1].required({ name: true, hash: true }).omit({ key: true })

/** A key that stands outside the config file, with its name and its hash; or what is wrong with it. */
export function readKeyEntry(value: unknown): { readonly settings?: KeySettings; readonly problem: string } {
  const { data, error } = entrySchema.safeParse(value)
  if (data !== undefined) {
    const [settings] = toKeySettings([data], { readSecret: (text) => text, problems: [] })
    return settings === undefined ? { problem: 'This is no key.' } : { settings, problem: '' }
  }
  const [issue] = error.issues
  if (issue?.code === 'unrecognized_keys')
    return { problem: `Unknown: ${issue.keys.join(', ')}. A key has ${Object.keys(entrySchema.shape).join(', ')}.` }
  return { problem: `'${issue?.path.join('.')}' has to be ${issue?.message}.` }
}
