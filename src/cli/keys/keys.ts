import { writeFileSync } from 'node:fs'
import { stringify } from 'yaml'
import { hashKey, isKeyName, type KeySettings, toExpiry } from '../../config/keys.ts'
import { type Config, loadConfig } from '../../config/load.ts'
import { GatewayError } from '../../errors.ts'
import { createRandomId } from '../../random-id.ts'
import type { KeyBook } from '../../server/accounts/key-book.ts'
import { defineVerb, UsageError } from '../arguments.ts'
import { bookOver, openAccounts } from '../compose/accounts.ts'
import { vocabulary } from '../compose/vocabulary.ts'
import { mergeSettings } from '../edit/settings.ts'
import { Refusal } from '../terminal/input.ts'
import { printTable } from '../terminal/layout.ts'
import type { Terminal } from '../terminal/terminal.ts'

export const keys = defineVerb({
  name: 'keys',
  summary: 'make, rotate, revoke and list the API keys of clients',
  operands: 'ACTION [NAME]',
  maxOperands: 2,
  flags: {
    requests: { type: 'count', value: 'N', help: 'the most requests per minute' },
    tokens: { type: 'count', value: 'N', help: 'the most tokens per minute' },
    parallel: { type: 'count', value: 'N', help: 'the most requests at the same time' },
    'tokens-per-day': { type: 'count', value: 'N', help: 'the most tokens a day' },
    'tokens-per-month': { type: 'count', value: 'N', help: 'the most tokens a month' },
    'cost-per-day': { type: 'count', value: 'N', help: 'the most money a day, by the price of models' },
    'cost-per-month': { type: 'count', value: 'N', help: 'the most money a month' },
    team: { type: 'text', value: 'NAME', help: 'its team, whose budget it shares' },
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
    'ACTION is new, rotate or revoke, with the NAME of the key, or list, or audit.',
    'new prints the key once. The config file keeps only its SHA-256, from which the key cannot be worked out.',
    'list shows who has a key and what it may do, never a key.',
    'Where a key of the config file has `admin: true`, new keeps the key where running gateways find it: in the Redis of sessions, or in accounts.db in your state folder. rotate replaces such a key, revoke takes it away, and audit shows who did what.',
  ],
  async run({ config: path, json = false, write = false, ...limits }, [action = '', name], terminal) {
    const manner = { path, json, write }
    if (action === 'list') return list(path, json, terminal)
    if (action === 'audit') return await withBook(path, terminal, (book) => printAudit(book, json, terminal))
    if (!['new', 'rotate', 'revoke'].includes(action))
      throw new UsageError(
        'What should `dragoman keys` do? Choose `new NAME`, `rotate NAME`, `revoke NAME`, `list` or `audit`.',
      )
    if (name === undefined || !isKeyName(name)) {
      throw new UsageError(
        `Say whose key it is: \`dragoman keys ${action} NAME\`. A name has up to 64 letters, digits and . _ @ -`,
      )
    }
    if (limits.expires !== undefined && toExpiry(limits.expires) === undefined)
      throw new UsageError(`--expires must be a date such as 2027-01-31, not "${limits.expires}".`)
    if (action === 'new') return await create(name, limits, manner, terminal)
    return await withBook(path, terminal, async (book) => {
      if (action === 'rotate')
        show(await book.rotate(name, who), 'Running gateways take it, and not the old one.', json, terminal)
      else {
        await book.revoke(name, who)
        terminal.write(json ? `${JSON.stringify({ name, revoked: true })}\n` : `${name} opens nothing any more.\n`)
      }
      return 0
    })
  },
})

/** In the audit log. */
const who = 'command line'

/** The keys that running gateways find; a refusal where there can be none, or where one is not as it should be. */
async function withBook(
  path: string | undefined,
  terminal: Terminal,
  use: (book: KeyBook) => Promise<number>,
): Promise<number> {
  const config = load(path, terminal)
  const store = openAccounts(config)
  try {
    const book = bookOver(store, config, false)
    if (book === undefined)
      throw new Refusal(
        'Keys stand in the config file alone: give one of its keys `admin: true` to make them beside it.',
      )
    return await use(book)
  } catch (error) {
    throw error instanceof GatewayError ? new Refusal(error.message) : error
  } finally {
    await store.close()
  }
}

function show(
  { key, entry }: { readonly key: string; readonly entry: object },
  where: string,
  json: boolean,
  terminal: Terminal,
) {
  if (json) return terminal.write(`${JSON.stringify({ key, file: null, entry }, undefined, 2)}\n`)
  terminal.write(`${key}\n`)
  terminal.complain(`\nThis is the only time the key is shown. ${where}\n`)
}

async function printAudit(book: KeyBook, json: boolean, terminal: Terminal): Promise<number> {
  const lines = await book.audit(mostAudited)
  if (json) terminal.write(`${JSON.stringify(lines, undefined, 2)}\n`)
  else
    terminal.write(
      printLines([['WHEN', 'WHO', 'DID', 'KEY'], ...lines.map(({ at, by, did, key }) => [at, by, did, key])]),
    )
  return 0
}

const mostAudited = 100

interface Limits {
  readonly requests?: number
  readonly tokens?: number
  readonly parallel?: number
  readonly models?: string
  readonly expires?: string
  readonly team?: string
  readonly 'tokens-per-day'?: number
  readonly 'tokens-per-month'?: number
  readonly 'cost-per-day'?: number
  readonly 'cost-per-month'?: number
}

interface Manner {
  readonly path: string | undefined
  readonly json: boolean
  readonly write: boolean
}

/** A key as the config file has it, its hash aside. */
function toEntry(name: string, limits: Limits) {
  const { requests, tokens, parallel, expires, team } = limits
  const models = limits.models?.split(',').map((model) => model.trim())
  const budgets = (['tokens-per-day', 'tokens-per-month', 'cost-per-day', 'cost-per-month'] as const).flatMap((flag) =>
    limits[flag] === undefined ? [] : [[flag.replaceAll('-', '_'), limits[flag]]],
  )
  return {
    name,
    ...(requests !== undefined && { requests_per_minute: requests }),
    ...(tokens !== undefined && { tokens_per_minute: tokens }),
    ...(parallel !== undefined && { parallel }),
    ...(models !== undefined && { models: models.filter((model) => model !== '') }),
    ...(expires !== undefined && { expires }),
    ...(team !== undefined && { team }),
    ...Object.fromEntries(budgets),
  }
}

async function create(name: string, limits: Limits, manner: Manner, terminal: Terminal): Promise<number> {
  const { path, json, write } = manner
  const made = toEntry(name, limits)
  if (!write && load(path, terminal).settings.keys.some(({ isAdmin }) => isAdmin)) {
    return await withBook(path, terminal, async (book) => {
      show(await book.make(made, who), 'Running gateways take it within seconds.', json, terminal)
      return 0
    })
  }
  const key = createRandomId('sk-dragoman-')
  const entry = { ...made, hash: `sha256:${hashKey(key)}` }
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

async function list(path: string | undefined, json: boolean, terminal: Terminal): Promise<number> {
  const { keys: written } = load(path, terminal).settings
  const made: KeySettings[] = []
  if (written.some(({ isAdmin }) => isAdmin)) {
    await withBook(path, terminal, async (book) => {
      made.push(...(await book.list()).map(({ settings }) => settings))
      return 0
    })
  }
  const rows = [...written, ...made].map(toRow)
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
  return printLines(table)
}

const printLines = (table: readonly (readonly string[])[]): string => `${printTable(table, 2, 'left').join('\n')}\n`
