import type { Median } from '../../tune/statistics/median.ts'
import type { Rate } from '../../tune/summary.ts'

/** Figures as people read them. */

export function percent(share: number): string {
  // 99.6 % is not all, and 0.4 % is not nothing.
  const rounded = Math.round(share * 100)
  if (rounded === 100 && share < 1) return '>99%'
  return rounded === 0 && share > 0 ? '<1%' : `${rounded}%`
}

export function range({ low, high }: { readonly low: number; readonly high: number }): string {
  return `${Math.floor(low * 100)}–${Math.ceil(high * 100)}`
}

/** `94% (88–97)`. */
export function rate(given: Rate): string {
  return given.of === 0 ? '–' : `${percent(given.value)} (${range(given)})`
}

/** How a quantity is written: the figure alone, and what stands behind it. */
export interface Unit {
  readonly figure: (value: number) => string
  readonly name: string
}

/** Milliseconds as this many are best told. */
export function time(ms: number): Unit {
  if (ms < 1_000) return { figure: (value) => String(Math.round(value)), name: ' ms' }
  const digits = ms < 100_000 ? 1 : 0
  return { figure: (value) => (value / 1_000).toFixed(digits), name: ' s' }
}

export function tokens(): Unit {
  return { figure: (value) => Math.round(value).toLocaleString('en-US'), name: '' }
}

/** `1.2 s`. */
export function quantity(value: number, unit: (value: number) => Unit): string {
  const { figure, name } = unit(value)
  return `${figure(value)}${name}`
}

/** `1.2 s (0.9–1.5)`. */
export function median(given: Median | undefined, unit: (value: number) => Unit): string {
  if (given === undefined) return '–'
  const { value, low, high } = given
  const { figure } = unit(value)
  const shown = quantity(value, unit)
  return low === undefined || high === undefined ? shown : `${shown} (${figure(low)}–${figure(high)})`
}

/** `2:07`. */
export function clock(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const tail = `${String(minutes).padStart(hours > 0 ? 2 : 1, '0')}:${String(rest).padStart(2, '0')}`
  return hours > 0 ? `${hours}:${tail}` : tail
}
