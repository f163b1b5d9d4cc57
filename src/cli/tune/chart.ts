import type { Interval } from '../../tune/statistics.ts'

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
