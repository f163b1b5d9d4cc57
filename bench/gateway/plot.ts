import { round } from './figures.ts'

/** A bar of a plot, and how far its figures lie apart. */
export interface Bar {
  readonly label: string
  readonly value: number
  readonly least?: number
  readonly most?: number
  /** Which colour it has. */
  readonly kind: 'own' | 'base' | 'other'
}

export interface Group {
  readonly title: string
  readonly bars: readonly Bar[]
  /** A line to stay on the left of. */
  readonly target?: number
}

const width = 760
const left = 190
const right = 70
const barHeight = 16
const groupGap = 30
const colours = { own: '#2f6f9f', base: '#9aa7b1', other: '#c9b28a' } as const

/** Horizontal bars in groups, each group on a scale of its own, as an SVG that reads well on white and on black. */
export function plotBars(title: string, unit: string, groups: readonly Group[]): string {
  let y = 48
  const parts: string[] = []
  for (const { title: name, bars, target = 0 } of groups) {
    const most = Math.max(target, ...bars.map((bar) => bar.most ?? bar.value)) * 1.05
    const scale = (value: number) => (value / most) * (width - left - right)
    parts.push(text(12, y, name, 'font-weight="600"'))
    y += 10
    const top = y
    for (const { label, value, least, most: longest, kind } of bars) {
      const middle = y + barHeight / 2
      parts.push(text(left - 8, middle + 4, label, 'text-anchor="end"'))
      parts.push(
        `<rect x="${left}" y="${y + 2}" width="${scale(value).toFixed(1)}" height="${barHeight - 4}" fill="${colours[kind]}"/>`,
      )
      if (least !== undefined && longest !== undefined) {
        parts.push(
          `<path d="M${(left + scale(least)).toFixed(1)} ${middle}H${(left + scale(longest)).toFixed(1)}" stroke="#777" stroke-width="1.5"/>`,
        )
      }
      parts.push(text(left + scale(Math.max(value, longest ?? 0)) + 6, middle + 4, round(value)))
      y += barHeight
    }
    if (target > 0) {
      const x = (left + scale(target)).toFixed(1)
      parts.push(`<path d="M${x} ${top}V${y}" stroke="#c0392b" stroke-width="1.5" stroke-dasharray="3 2"/>`)
    }
    y += groupGap
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" font-family="system-ui, sans-serif" font-size="12" fill="#555">`,
    `<rect width="${width}" height="${y}" fill="#fff"/>`,
    text(12, 22, `${title} (${unit})`, 'font-size="15" font-weight="600" fill="#222"'),
    ...parts,
    '</svg>',
    '',
  ].join('\n')
}

function text(x: number, y: number, words: string, more = ''): string {
  const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${escaped}</text>`
}
