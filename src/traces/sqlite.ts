import { closeSync, mkdirSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Clock } from '../clock.ts'
import type { Summary } from './exchange.ts'
import { toGolden } from './golden.ts'
import type { Recording } from './recording.ts'
import type { Bounds, Query, Store, Told } from './store.ts'
import { toExchange } from './tell.ts'

interface SqliteOptions {
  readonly path: string
  readonly bounds: () => Bounds
  readonly clock: Clock
  /** Nothing can be written any more, or can again. */
  readonly onTrouble: (reason: string | undefined) => void
}

const writeEveryMs = 250
/** So many at a time: whoever waits for an answer meanwhile should not wait long. */
const writtenAtOnce = 8
const writeOnAfterMs = 10
/** What waits to be written must not fill the memory. */
const mostWaiting = 512
const pruneEveryMs = 30_000
/** So long what somebody looks at may be older than it should be. */
const lookedAtForMs = 1000

/**
 * In a file, through Node's own SQLite, which is loaded only here. Writing waits until nobody is waiting for it, and is the
 * only time an exchange is told in full. Several gateways may share the file.
 */
export function createSqliteStore({ path, bounds, clock, onTrouble }: SqliteOptions): Store {
  const db = open(path)
  const insert = db.prepare(
    'INSERT OR REPLACE INTO exchanges (id, at, conversation, request, summary, told, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const waiting: Recording[] = []
  let cancel: (() => void) | undefined
  let isDown = false
  let prunedAt = 0

  function attempt<T>(run: () => T): T | undefined {
    try {
      const result = run()
      if (isDown) onTrouble(undefined)
      isDown = false
      return result
    } catch (thrown) {
      if (!isDown) onTrouble(thrown instanceof Error ? thrown.message : String(thrown))
      isDown = true
      return undefined
    }
  }

  function write(most: number): void {
    const batch = waiting.splice(0, most)
    if (batch.length === 0) return
    attempt(() => {
      db.exec('BEGIN IMMEDIATE')
      try {
        for (const recording of batch) insertOne(insert, recording)
        db.exec('COMMIT')
      } catch (thrown) {
        db.exec('ROLLBACK')
        throw thrown
      }
    })
    if (clock.now() - prunedAt >= pruneEveryMs) prune()
  }

  function prune(): void {
    prunedAt = clock.now()
    const { entries, bytes, retentionMs } = bounds()
    attempt(() => {
      if (retentionMs !== undefined) db.prepare('DELETE FROM exchanges WHERE at < ?').run(clock.now() - retentionMs)
      db.prepare('DELETE FROM exchanges WHERE id <= (SELECT id FROM exchanges ORDER BY id DESC LIMIT 1 OFFSET ?)').run(
        entries,
      )
      db.prepare(
        'DELETE FROM exchanges WHERE id <= (SELECT max(id) FROM (SELECT id, sum(bytes) OVER (ORDER BY id DESC) AS used FROM exchanges) WHERE used > ?)',
      ).run(bytes)
      db.exec('PRAGMA incremental_vacuum')
    })
  }

  function later(afterMs: number): void {
    cancel ??= clock.after(afterMs, () => {
      cancel = undefined
      write(writtenAtOnce)
      if (waiting.length > 0) later(writeOnAfterMs)
    })
  }

  /** Whoever looks sees all there is. */
  function settle(): void {
    const hasNews = waiting.length > 0
    write(waiting.length)
    if (hasNews || clock.now() - prunedAt >= lookedAtForMs) prune()
  }

  function select(where: readonly (readonly [string, SQLInputValue | undefined])[], limit: number): readonly Summary[] {
    settle()
    const given = where.filter(([, value]) => value !== undefined)
    const conditions = given.map(([condition]) => condition).join(' AND ') || '1'
    const values = given.map(([, value]) => value ?? null)
    const sql = `SELECT summary FROM exchanges WHERE ${conditions} ORDER BY id DESC LIMIT ?`
    const rows = attempt(() => db.prepare(sql).all(...values, limit)) ?? []
    return rows.map((row) => JSON.parse(String(row['summary'])) as Summary)
  }

  attempt(prune)
  return {
    add(recording) {
      if (waiting.length >= mostWaiting) waiting.shift()
      waiting.push(recording)
      later(writeEveryMs)
    },
    list: ({ before, after, conversation, requestId, limit }: Query) =>
      select(
        [
          ['id < ?', before],
          ['id > ?', after],
          ['conversation = ?', conversation],
          ['request = ?', requestId],
        ],
        limit,
      ),
    between: (from, to, limit) =>
      select(
        [
          ['at >= ?', from],
          ['at < ?', to],
        ],
        limit,
      ),
    find(id) {
      settle()
      const row = attempt(() => db.prepare('SELECT told FROM exchanges WHERE id = ?').get(id))
      return row === undefined ? undefined : (JSON.parse(String(row['told'])) as Told)
    },
    get count() {
      settle()
      return Number(attempt(() => db.prepare('SELECT count(*) AS count FROM exchanges').get())?.['count'] ?? 0)
    },
    follow() {
      const newest = db.prepare('SELECT coalesce(max(seq), 0) AS seq FROM exchanges')
      const since = db.prepare('SELECT seq, summary FROM exchanges WHERE seq > ? ORDER BY seq LIMIT 500')
      let seen = Number(attempt(() => newest.get())?.['seq'] ?? 0)
      return () => {
        const rows = attempt(() => since.all(seen)) ?? []
        seen = Number(rows.at(-1)?.['seq'] ?? seen)
        return rows.map((row) => JSON.parse(String(row['summary'])) as Summary)
      }
    },
    close() {
      cancel?.()
      write(waiting.length)
      db.close()
    },
  }
}

function insertOne(insert: StatementSync, recording: Recording): void {
  const exchange = toExchange(recording)
  const {
    hasBodies: _,
    asked: _asked,
    attempts: _attempts,
    got: _got,
    told: _told,
    changes: _changes,
    ...summary
  } = exchange
  const told: Told = { exchange, golden: toGolden(recording) }
  const text = JSON.stringify(told)
  const { id, at, conversation, requestId } = summary
  insert.run(id, at, conversation, requestId, JSON.stringify(summary), text, text.length)
}

function open(path: string): DatabaseSync {
  const sqlite = createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite')
  if (path !== ':memory:') {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // What is in it is nobody else's business.
    closeSync(openSync(path, 'a', 0o600))
  }
  const db = new sqlite.DatabaseSync(path, { timeout: 2000 })
  db.exec('PRAGMA auto_vacuum = INCREMENTAL')
  db.exec('PRAGMA journal_mode = WAL')
  db.exec('PRAGMA synchronous = NORMAL')
  db.exec('PRAGMA secure_delete = ON')
  db.exec(
    `CREATE TABLE IF NOT EXISTS exchanges (
      seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, conversation TEXT NOT NULL, request TEXT NOT NULL,
      summary TEXT NOT NULL, told TEXT NOT NULL, bytes INTEGER NOT NULL
    )`,
  )
  db.exec('CREATE INDEX IF NOT EXISTS exchanges_at ON exchanges (at)')
  db.exec('CREATE INDEX IF NOT EXISTS exchanges_conversation ON exchanges (conversation)')
  db.exec('CREATE INDEX IF NOT EXISTS exchanges_request ON exchanges (request)')
  return db
}
