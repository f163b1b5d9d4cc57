import type { Interval } from '../../tune/statistics.ts'
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

export function time(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(ms < 100_000 ? 1 : 0)} s`
}

export function tokens(count: number): string {
  return Math.round(count).toLocaleString('en-US')
}

/** `1.2 s`. */
export function quantity(value: number | undefined, unit: (value: number) => string): string {
  return value === undefined ? '–' : unit(value)
}

/** `2:07`. */
export function clock(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const tail = `${String(minutes).padStart(hours > 0 ? 2 : 1, '0')}:${String(rest).padStart(2, '0')}`
  return hours > 0 ? `${hours}:${tail}` : tail
}

/** A rate and where the true one is, on a line from 0 to 100%: `   ├────●──┤  `. */
export function printWhisker(value: number, { low, high }: Interval, width: number): string {
  const at = (share: number): number => Math.min(width - 1, Math.max(0, Math.round(share * (width - 1))))
  const cells: string[] = Array.from({ length: width }, (_, index) => (index > at(low) && index < at(high) ? '─' : ' '))
  cells[at(low)] = '├'
  cells[at(high)] = '┤'
  cells[at(value)] = '●'
  return cells.join('')
}

/** What stands below such lines. */
export function printAxis(width: number): string {
  const labels = ['0', '25', '50', '75', '100%']
  const cells = Array.from({ length: width }, () => ' ')
  for (const [index, label] of labels.entries()) {
    const middle = Math.round((index / (labels.length - 1)) * (width - 1))
    const start = index === 0 ? 0 : Math.min(middle - Math.floor(label.length / 2), width - label.length)
    cells.splice(start, label.length, ...label)
  }
  return cells.join('').trimEnd()
}

/** How far something has come: `█████▋░░░░`. */
export function printBar(share: number, width: number): string {
  const full = Math.max(0, Math.min(1, share)) * width
  const whole = Math.floor(full)
  const part = whole < width ? (eighths[Math.floor((full - whole) * 8)] ?? '') : ''
  return `${'█'.repeat(whole)}${part}`.padEnd(width, '░')
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']
