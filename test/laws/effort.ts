import { dialects, findDialect } from '../../src/dialects/registry.ts'
import { createReader, type Reader } from '../../src/engine/reader.ts'
import { hostileTools } from './places.ts'

/** What it took to read a text. */
export interface Effort {
  /** Characters the reader says it touched. */
  readonly work: number
  /** Of the whole process, so that the collector's threads count. */
  readonly cpuMs: number
  /** How long each push took, and last the end, where pieces are large. */
  readonly pushesMs: readonly number[]
}

/** Pieces of this many characters or more are timed one by one. */
const largePiece = 1024
/** So many small pieces between two looks at the clock. */
const betweenLooks = 256

/**
 * A reader as the gateway makes it: one dialect taught and all others understood, or `none` taught and leaks read. Tells
 * `onCall` of every call that begins, the false ones too.
 */
export function createVictim(dialect: string, onCall?: () => void): Reader {
  let ids = 0
  return createReader({
    ...(dialect === 'none' ? { unknownTools: 'text' } : { dialect: findDialect(dialect) }),
    others: dialects,
    tools: hostileTools,
    parallel: true,
    newId: () => {
      onCall?.()
      return `id-${++ids}`
    },
  })
}

/**
 * Reads a text in pieces of `size`; undefined when that takes longer than `limitMs`. A push cannot be interrupted: code that
 * reads in large pieces tries shorter texts first.
 */
export function measureReading(dialect: string, text: string, size: number, limitMs: number): Effort | undefined {
  const reader = createVictim(dialect)
  const pushesMs: number[] = []
  const startCpu = process.cpuUsage()
  const start = performance.now()
  let last = start
  for (let at = 0, count = 1; at < text.length; at += size, count++) {
    reader.push(text.slice(at, at + size))
    if (size < largePiece && count % betweenLooks !== 0) continue
    const now = performance.now()
    if (now - start > limitMs) return undefined
    if (size >= largePiece) pushesMs.push(now - last)
    last = now
  }
  reader.end('stop')
  if (size >= largePiece) pushesMs.push(performance.now() - last)
  const { user, system } = process.cpuUsage(startCpu)
  return { work: reader.work, cpuMs: (user + system) / 1000, pushesMs }
}
