import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { createSqliteStore } from '../../src/traces/store/sqlite.ts'
import { createFolder } from '../dragoman.ts'

/** Writes to a new file for a moment, as a process does that has just opened it. */
const holder = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  const db = new DatabaseSync(workerData)
  db.exec('CREATE TABLE other (a)')
  db.exec('BEGIN IMMEDIATE')
  parentPort.postMessage('held')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  db.exec('COMMIT')
  db.close()
`

test('a file that another gateway has just begun with is waited for', async () => {
  const place = createFolder()
  onTestFinished(place.remove)
  const path = join(place.folder, 'traces.db')
  const other = new Worker(holder, { eval: true, workerData: path })
  const ended = once(other, 'exit')
  await once(other, 'message')
  const bounds = { entries: 10, bytes: 1000 }
  const store = createSqliteStore({ path, bounds, clock: systemClock, onTrouble: () => undefined })
  onTestFinished(() => store.close())
  await ended
  expect(store.count).toBe(0)
})
