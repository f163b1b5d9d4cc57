import { createHash } from 'node:crypto'
import type { Problem } from './problems.ts'
import { isKeyName, type KeyFile, toExpiry } from './values/key-schema.ts'

/** One client key: who has it, and how much they may do. */
export interface KeySettings {
  /** For logs and metrics. */
  readonly name: string
  /** The SHA-256 of the key, in hexadecimal. */
  readonly hash: string
  /** The key itself, where the configuration has it. */
  readonly key?: string
  readonly requestsPerMinute?: number | undefined
  readonly tokensPerMinute?: number | undefined
  readonly parallel?: number | undefined
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
