import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { dialects } from '../src/dialects/registry.ts'
import { report } from './measure.ts'
import type { Read } from './reading.ts'

/**
 * One string argument in 4-character pieces, in every dialect, at every length; then prose with all dialects armed. Each
 * is read in a process of its own, so that no figure depends on the heap and the compiled code that others left behind.
 */
export function benchReader(names: readonly string[]): boolean {
  const chosen = dialects.map(({ name }) => name).filter((name) => names.length === 0 || names.includes(name))
  console.log('\nreading one string argument in 4-character pieces, a delta made of each; ns a piece')
  console.log(
    `${'dialect'.padEnd(24)}    1 kB   64 kB  512 kB    1 MB   1 MB/64 kB   work 1 MB/512 kB   time 1 MB/512 kB`,
  )
  measure('scan')
  const results = chosen.map((name) => measure('dialect', name))
  const worst = (figure: (read: Read) => number): Read => results.reduce((a, b) => (figure(a) >= figure(b) ? a : b))
  const slowest = worst(({ times }) => Math.max(...times))
  const steepest = worst(({ growth }) => growth)
  const busiest = worst(({ work }) => work)
  const doubling = worst(({ doubled }) => doubled)
  const [plain = 0] = ask('prose').times
  console.log()
  return [
    report(`slowest dialect at its slowest length (${slowest.name})`, Math.max(...slowest.times), 400, 'ns/piece'),
    report(`time of 1 MB against 64 kB (${steepest.name})`, steepest.growth, 18, '×'),
    report(`work of 1 MB against 512 kB (${busiest.name})`, busiest.work, 2.2, '×'),
    report(`time of 1 MB against 512 kB (${doubling.name})`, doubling.doubled, 2.2, '×'),
    report(`plain text, all ${dialects.length} dialects armed`, plain, 60, 'ns/piece'),
  ].every(Boolean)
}

function measure(...what: readonly string[]): Read {
  const read = ask(...what)
  const cells = read.times.map((time) => time.toFixed(0).padStart(8)).join('')
  const ratios = [read.growth, read.work, read.doubled].map((ratio) => ratio.toFixed(2))
  console.log(
    `${read.name.padEnd(24)}${cells}${(ratios[0] ?? '').padStart(13)}${(ratios[1] ?? '').padStart(19)}${(ratios[2] ?? '').padStart(19)}`,
  )
  return read
}

function ask(...what: readonly string[]): Read {
  return JSON.parse(
    execFileSync(process.execPath, [join(import.meta.dirname, 'reading.ts'), ...what], { encoding: 'utf8' }),
  ) as Read
}
