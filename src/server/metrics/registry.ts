import { type Distribution, type Family, type Fold, printFamilies } from './families.ts'

/** Values of labels, in the order the metric names them. */
export type Labels = Readonly<Record<string, string>>

export interface Counter {
  add(labels: Labels, count?: number): void
  /** What is counted for these labels, for those who count it often. */
  at(labels: Labels): Count
}

export interface Histogram {
  observe(labels: Labels, value: number): void
  at(labels: Labels): Spread
}

class Count {
  count = 0

  add(count = 1): void {
    this.count += count
  }
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
      const { all, at } = seriesOf(() => new Count())
      metrics.push(() => ({
        name,
        help,
        type: 'counter',
        series: [...all].map(([labels, { count }]) => [labels, count]),
      }))
      return { at, add: (labels, count) => at(labels).add(count) }
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
      return { at, observe: (labels, value) => at(labels).observe(value) }
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

/** For every request, so without lists in between. */
function printLabels(labels: Labels): string {
  let printed = ''
  for (const name in labels) {
    const value = labels[name] ?? ''
    printed += `${printed === '' ? '' : ','}${name}="${special.test(value) ? value.replaceAll(specials, escaped) : value}"`
  }
  return printed
}

const special = /[\\"\n]/
const specials = /[\\"\n]/g
const escaped = (character: string): string => (character === '\n' ? '\\n' : `\\${character}`)
