import { closeSync, mkdirSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { SQLOutputValue } from 'node:sqlite'
import { type AccountStore, type AuditLine, keptDays, nothing, type StoredKey } from './store.ts'

/** How long another process may hold the file. */
const patienceMs = 2000

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS spent (name TEXT PRIMARY KEY, tokens REAL NOT NULL, cost REAL NOT NULL, at TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS keys (name TEXT PRIMARY KEY, entry TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS audit (seq INTEGER PRIMARY KEY AUTOINCREMENT, line TEXT NOT NULL);
`

/** In a file that only its owner reads. Several processes of one machine may share it. */
export function createSqliteAccounts(path: string): AccountStore {
  const sqlite = createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite')
  if (path !== ':memory:') {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    closeSync(openSync(path, 'a', 0o600))
  }
  const db = new sqlite.DatabaseSync(path, { timeout: patienceMs })
  db.exec(schema)
  db.prepare("DELETE FROM spent WHERE at < date('now', ?)").run(`-${keptDays} days`)
  const read = db.prepare('SELECT tokens, cost FROM spent WHERE name = ?')
  const add = db.prepare(
    "INSERT INTO spent (name, tokens, cost, at) VALUES (?, ?, ?, date('now')) ON CONFLICT (name) DO UPDATE SET tokens = tokens + excluded.tokens, cost = cost + excluded.cost",
  )
  const parsed = <T>(value: SQLOutputValue | undefined): T => JSON.parse(String(value)) as T

  return {
    spent: async (names) =>
      names.map((name) => {
        const row = read.get(name)
        return row === undefined ? nothing : { tokens: Number(row['tokens']), cost: Number(row['cost']) }
      }),
    async spend(names, { tokens, cost }) {
      for (const name of names) add.run(name, tokens, cost)
    },
    keys: async () => {
      const rows = db.prepare('SELECT entry FROM keys ORDER BY name').all()
      return rows.map(({ entry }) => parsed<StoredKey>(entry))
    },
    async putKey(name, key, line) {
      if (key === undefined) db.prepare('DELETE FROM keys WHERE name = ?').run(name)
      else db.prepare('INSERT OR REPLACE INTO keys (name, entry) VALUES (?, ?)').run(name, JSON.stringify(key))
      db.prepare('INSERT INTO audit (line) VALUES (?)').run(JSON.stringify(line))
    },
    audit: async (limit) => {
      const rows = db.prepare('SELECT line FROM audit ORDER BY seq DESC LIMIT ?').all(limit)
      return rows.map(({ line }) => parsed<AuditLine>(line))
    },
    close: async () => db.close(),
  }
}
