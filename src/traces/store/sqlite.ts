import { closeSync, mkdirSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Clock } from '../../clock.ts'
import type { Summary } from '../exchange.ts'
import type { Recording } from '../recording/recording.ts'
import { type ExchangeView, toView } from '../view/exchange-view.ts'
import type { Bounds, Query, Store } from './store.ts'

interface SqliteOptions {
  readonly path: string
  readonly bounds: Bounds
  readonly clock: Clock
  /** Nothing can be written any more, or can again. */
  readonly onTrouble: (reason: string | undefined) => void
}

const writeEveryMs = 250
/** How long it writes at a time: answers wait meanwhile. */
const sliceMs = 5
/** How much longer than it wrote it pauses, so that writing takes a twentieth of the time at most. */
const pauseTimes = 19
const shortestPauseMs = 10
/** A read waits this long for what is still to be written. */
const lookSliceMs = 200
/** Of more than this that waits, what was said is not kept; of more than that, nothing. */
const mostInFull = 256
const mostWaiting = 8192
const pruneEveryMs = 30_000
/** How long what is read may be older than the bounds allow. */
const lookedAtForMs = 1000

/**
 * In a file, through Node's own SQLite, which is loaded only here. Exchanges are written a little later, and told in full
 * only then. Under load less is kept of them, so that no answer waits. Several gateways may
 * share the file.
 */
export function createSqliteStore({ path, bounds: initial, clock, onTrouble }: SqliteOptions): Store {
  let bounds = initial
  const db = open(path)
  const insert = db.prepare(
    'INSERT OR REPLACE INTO exchanges (id, at, conversation, request, summary, told, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const waiting: Recording[] = []
  /** How many of them are to be written with what was said. */
  let inFull = 0
  let cancel: (() => void) | undefined
  let isDown = false
  let isClosed = false
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

  /** Writes what waits, for so long at most; tells how long it took. */
  function write(forMs: number): number {
    if (waiting.length === 0) return 0
    const start = performance.now()
    attempt(() => {
      db.exec('BEGIN IMMEDIATE')
      try {
        let next = waiting.shift()
        for (; next !== undefined; next = performance.now() - start < forMs ? waiting.shift() : undefined) {
          if (next.hasBodies) inFull -= 1
          insertOne(insert, next)
        }
        db.exec('COMMIT')
      } catch (thrown) {
        db.exec('ROLLBACK')
        throw thrown
      }
    })
    if (clock.now() - prunedAt >= pruneEveryMs) prune()
    return performance.now() - start
  }

  function prune(): void {
    prunedAt = clock.now()
    const { entries, bytes, retentionMs } = bounds
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
      const tookMs = write(sliceMs)
      if (waiting.length > 0) later(Math.max(shortestPauseMs, tookMs * pauseTimes))
    })
  }

  /** Before a read. */
  function settle(): void {
    const hasNews = waiting.length > 0
    write(lookSliceMs)
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
    bound(next) {
      bounds = next
    },
    add(recording) {
      if (isClosed || waiting.length >= mostWaiting) return
      if (inFull >= mostInFull) recording.forget()
      if (recording.hasBodies) inFull += 1
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
      return row === undefined ? undefined : (JSON.parse(String(row['told'])) as ExchangeView)
    },
    words(id) {
      const row = attempt(() => db.prepare('SELECT told FROM exchanges WHERE id = ?').get(id))
      return row === undefined ? undefined : wordsIn((JSON.parse(String(row['told'])) as ExchangeView).exchange)
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
      if (isClosed) return
      write(Number.POSITIVE_INFINITY)
      isClosed = true
      db.close()
    },
  }
}

function wordsIn({ asked, attempts, got }: ExchangeView['exchange']): string {
  const said = attempts.flatMap(({ sent, said }) => [
    sent.body?.text ?? '',
    said.text,
    said.thoughts,
    ...said.calls.map((call) => call.arguments),
  ])
  const calls = got.calls.map((call) => call.arguments)
  return [asked.body?.text ?? '', ...said, got.text, got.thoughts, ...calls].join('\n')
}

function insertOne(insert: StatementSync, recording: Recording): void {
  const told = toView(recording)
  const {
    hasBodies: _,
    asked: _asked,
    attempts: _attempts,
    got: _got,
    told: _told,
    changes: _changes,
    ...summary
  } = told.exchange
  const text = JSON.stringify(told)
  const { id, at, conversation = '', requestId } = summary
  insert.run(id, at, conversation, requestId, JSON.stringify(summary), text, text.length)
}

/** How long others may hold the file. */
const patienceMs = 2000
const tryEveryMs = 5

/** Two that begin with the same new file at once are in each other's way, and SQLite does not wait for that by itself. */
function keepLog(db: DatabaseSync): void {
  for (let tries = patienceMs / tryEveryMs; ; tries--) {
    try {
      db.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (tries <= 0 || !String(error).includes('locked')) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, tryEveryMs)
    }
  }
}

function open(path: string): DatabaseSync {
  const sqlite = createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite')
  if (path !== ':memory:') {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // Readable by its owner only.
    closeSync(openSync(path, 'a', 0o600))
  }
  const db = new sqlite.DatabaseSync(path, { timeout: patienceMs })
  db.exec('PRAGMA auto_vacuum = INCREMENTAL')
  keepLog(db)
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
