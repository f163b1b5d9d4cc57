/** The middle of several figures, and how far they lie apart. */
export interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
}

export function spreadOf(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((a, b) => a - b)
  return { median: quantile(sorted, 0.5), least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN }
}

/** Of figures in order. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function quantileOf(figures: readonly number[], share: number): number {
  return quantile(
    figures.toSorted((a, b) => a - b),
    share,
  )
}

export function round(figure: number): string {
  const digits = figure >= 100 ? 0 : figure >= 10 ? 1 : 2
  return figure.toFixed(digits)
}

export function printSpread({ median, least, most }: Spread): string {
  return `${round(median)} (${round(least)}–${round(most)})`
}
