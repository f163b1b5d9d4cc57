import { writeFileSync } from 'node:fs'
import { stringify } from 'yaml'
import { hashKey, isKeyName, type KeySettings, toExpiry } from '../../config/keys.ts'
import { type Config, loadConfig } from '../../config/load.ts'
import { createRandomId } from '../../random-id.ts'
import { defineVerb, UsageError } from '../arguments.ts'
import { vocabulary } from '../compose/vocabulary.ts'
import { mergeSettings } from '../edit/settings.ts'
import { Refusal } from '../terminal/input.ts'
import { printTable } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'

export const keys = defineVerb({
  name: 'keys',
  summary: 'make an API key for a client, or list the keys there are',
  operands: 'new NAME | list',
  maxOperands: 2,
  flags: {
    requests: { type: 'count', value: 'N', help: 'the most requests per minute' },
    tokens: { type: 'count', value: 'N', help: 'the most tokens per minute' },
    parallel: { type: 'count', value: 'N', help: 'the most requests at the same time' },
    models: { type: 'text', value: 'A,B', help: 'the models it may use; * stands for anything' },
    expires: { type: 'text', value: 'DATE', help: 'the last day it works, like 2027-01-31' },
    write: { type: 'switch', help: 'add the new key to your config file' },
    config: { type: 'text', value: 'FILE', help: 'config file (default: dragoman.yaml)' },
    json: { type: 'switch', help: 'print the result as JSON' },
  },
  examples: [
    ['dragoman keys new laptop --requests 60 --write', 'makes a key and adds its hash to the config'],
    ['dragoman keys list', 'shows the keys by name, with their limits'],
  ],
  details: [
    'new prints the key once. The config file keeps only its SHA-256, from which nobody can get the key back.',
    'list shows who has a key and what it may do, never a key.',
  ],
  async run({ config: path, json = false, write = false, ...limits }, [action, name], terminal) {
    if (action === 'list') return list(path, json, terminal)
    if (action !== 'new') throw new UsageError('What should `dragoman keys` do? Choose `new NAME` or `list`.')
    if (name === undefined || !isKeyName(name)) {
      throw new UsageError(
        'Say whose key it is: `dragoman keys new NAME`. A name has up to 64 letters, digits and . _ @ -',
      )
    }
    if (limits.expires !== undefined && toExpiry(limits.expires) === undefined)
      throw new UsageError(`--expires must be a date such as 2027-01-31, not "${limits.expires}".`)
    return create(name, limits, { path, json, write }, terminal)
  },
})

interface Limits {
  readonly requests?: number
  readonly tokens?: number
  readonly parallel?: number
  readonly models?: string
  readonly expires?: string
}

interface Manner {
  readonly path: string | undefined
  readonly json: boolean
  readonly write: boolean
}

function create(name: string, limits: Limits, { path, json, write }: Manner, terminal: Terminal): number {
  const key = createRandomId('sk-dragoman-')
  const { requests, tokens, parallel, expires } = limits
  const models = limits.models?.split(',').map((model) => model.trim())
  const entry = {
    name,
    hash: `sha256:${hashKey(key)}`,
    ...(requests !== undefined && { requests_per_minute: requests }),
    ...(tokens !== undefined && { tokens_per_minute: tokens }),
    ...(parallel !== undefined && { parallel }),
    ...(models !== undefined && { models: models.filter((model) => model !== '') }),
    ...(expires !== undefined && { expires }),
  }
  const file = write ? writeKey(path, entry, terminal) : undefined
  if (json) terminal.write(`${JSON.stringify({ key, file: file ?? null, entry }, undefined, 2)}\n`)
  else {
    terminal.write(`${key}\n`)
    const where = file === undefined ? 'Add this to your config file:' : `Added to ${file}:`
    terminal.complain(`\nThis is the only time the key is shown. ${where}\n\n${stringify({ keys: [entry] })}`)
  }
  return 0
}

function writeKey(path: string | undefined, entry: { readonly name: string }, terminal: Terminal): string {
  const { settings, file } = load(path, terminal)
  if (file === undefined)
    throw new Refusal('There is no config file to write to. Create dragoman.yaml first, or leave out --write.')
  if (settings.keys.some(({ name }) => name === entry.name))
    throw new Refusal(`There is a key called "${entry.name}" already. Choose another name.`)
  writeFileSync(file.path, addKey(file, entry))
  return file.path
}

/** The text of a config file with one more key at the end of `keys`; comments and all else stay. */
export function addKey({ path, text }: NonNullable<Config['file']>, entry: { readonly name: string }): string {
  return mergeSettings({ format: path.endsWith('.json') ? 'json' : 'yaml', value: { keys: [entry] } }, text)
}

function load(path: string | undefined, { surroundings }: Terminal) {
  return loadConfig({ flags: { config: path }, ...vocabulary, surroundings })
}

function list(path: string | undefined, json: boolean, terminal: Terminal): number {
  const rows = load(path, terminal).settings.keys.map(toRow)
  if (json) terminal.write(`${JSON.stringify(rows, undefined, 2)}\n`)
  else if (rows.length === 0) terminal.write('There are no keys. Make one with `dragoman keys new NAME`.\n')
  else terminal.write(printRows(rows))
  return 0
}

function toRow({ name, hash, requestsPerMinute, tokensPerMinute, parallel, models, expiresAt }: KeySettings) {
  return {
    name,
    hash: hash.slice(0, 8),
    requests_per_minute: requestsPerMinute ?? null,
    tokens_per_minute: tokensPerMinute ?? null,
    parallel: parallel ?? null,
    models: models ?? null,
    expires: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
  }
}

function printRows(rows: readonly ReturnType<typeof toRow>[]): string {
  const table = [
    ['NAME', 'HASH', 'REQUESTS/MIN', 'TOKENS/MIN', 'PARALLEL', 'EXPIRES', 'MODELS'],
    ...rows.map((row) => [
      row.name,
      row.hash,
      String(row.requests_per_minute ?? '-'),
      String(row.tokens_per_minute ?? '-'),
      String(row.parallel ?? '-'),
      row.expires ?? 'never',
      row.models?.join(', ') ?? 'all',
    ]),
  ]
  return `${printTable(table, 2, 'left').join('\n')}\n`
}
