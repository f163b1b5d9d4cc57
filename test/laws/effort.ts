import { dialects, findDialect } from '../../src/dialects/registry.ts'
import { createReader, type Reader } from '../../src/engine/reader.ts'
import { hostileTools } from './places.ts'

/** What it took to read a text. */
export interface Effort {
  /** Characters the reader says it touched. */
  readonly work: number
  /** Of the whole process, so that the collector's threads count. */
  readonly cpuMs: number
}

/** So many pieces between two looks at the clock. */
const betweenLooks = 256

/** A reader as the gateway makes it: one dialect taught and all others understood, or `none` taught and leaks read. */
function createHostileReader(dialect: string): Reader {
  let ids = 0
  return createReader({
    ...(dialect === 'none' ? { unknownTools: 'text' } : { dialect: findDialect(dialect) }),
    others: dialects,
    tools: hostileTools,
    parallel: true,
    newId: () => `id-${++ids}`,
  })
}

/** Reads a text in pieces of `size`; undefined when that takes longer than `limitMs`. A push cannot be interrupted. */
export function measureReading(dialect: string, text: string, size: number, limitMs: number): Effort | undefined {
  const reader = createHostileReader(dialect)
  const startCpu = process.cpuUsage()
  const start = performance.now()
  for (let at = 0, count = 1; at < text.length; at += size, count++) {
    reader.push(text.slice(at, at + size))
    if (count % betweenLooks === 0 && performance.now() - start > limitMs) return undefined
  }
  reader.end('stop')
  const { user, system } = process.cpuUsage(startCpu)
  return { work: reader.work, cpuMs: (user + system) / 1000 }
}
