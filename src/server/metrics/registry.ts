import { type Distribution, type Family, type Fold, printFamilies } from './families.ts'

/** Values of labels, in the order the metric names them. */
export type Labels = Readonly<Record<string, string>>

export interface Counter {
  add(labels: Labels, count?: number): void
}

export interface Histogram {
  observe(labels: Labels, value: number): void
}

class Spread implements Distribution {
  readonly counts: number[]
  sum = 0
  count = 0
  readonly #bounds: readonly number[]

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.counts = bounds.map(() => 0)
  }

  observe(value: number): void {
    const bounds = this.#bounds
    this.sum += value
    this.count += 1
    for (let index = bounds.length - 1; index >= 0 && value <= (bounds[index] ?? 0); index--)
      this.counts[index] = (this.counts[index] ?? 0) + 1
  }
}

interface Reading {
  readonly labels?: Labels
  readonly value: number
}

/** What is measured, and how it is written for Prometheus. */
export interface Registry {
  counter(name: string, help: string): Counter
  histogram(name: string, help: string, buckets: readonly number[]): Histogram
  /** Read when somebody asks. */
  gauge(name: string, help: string, read: () => readonly Reading[], fold?: Fold): void
  /** Every metric there is, by its name. */
  readonly names: readonly string[]
  read(): readonly Family[]
  print(): string
}

/** A metric with more kinds of labels than this has a leak: what comes later is not counted. */
const mostSeries = 5000

export function createRegistry(): Registry {
  const metrics: (() => Family)[] = []

  function seriesOf<Value>(create: () => Value) {
    const series = new Map<string, Value>()
    return {
      all: series,
      at(labels: Labels): Value {
        const key = printLabels(labels)
        const known = series.get(key)
        if (known !== undefined) return known
        const fresh = create()
        if (series.size < mostSeries) series.set(key, fresh)
        return fresh
      },
    }
  }

  const read = (): readonly Family[] => metrics.map((readMetric) => readMetric())

  return {
    counter(name, help) {
      const { all, at } = seriesOf(() => ({ count: 0 }))
      metrics.push(() => ({
        name,
        help,
        type: 'counter',
        series: [...all].map(([labels, { count }]) => [labels, count]),
      }))
      return { add: (labels, count = 1) => void (at(labels).count += count) }
    },
    histogram(name, help, bounds) {
      const { all, at } = seriesOf(() => new Spread(bounds))
      const copy = ({ counts, sum, count }: Distribution): Distribution => ({ counts: [...counts], sum, count })
      metrics.push(() => ({
        name,
        help,
        type: 'histogram',
        bounds,
        series: [...all].map(([labels, series]) => [labels, copy(series)]),
      }))
      return { observe: (labels, value) => at(labels).observe(value) }
    },
    gauge(name, help, readings, fold = 'sum') {
      metrics.push(() => ({
        name,
        help,
        type: 'gauge',
        fold,
        series: readings().map(({ labels = {}, value }) => [printLabels(labels), value]),
      }))
    },
    get names() {
      return read().map(({ name }) => name)
    },
    read,
    print: () => printFamilies(read()),
  }
}

function printLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replaceAll(/[\\"\n]/g, escaped)}"`)
    .join(',')
}

const escaped = (character: string): string => (character === '\n' ? '\\n' : `\\${character}`)
