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
  /** Read on demand. */
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

/** How the readings of several processes become one: what each has is added up, or the worst is told. */
export type Fold = 'sum' | 'max' | 'min'

/** A histogram's counts by bucket, each with all that is smaller. */
export interface Distribution {
  readonly counts: readonly number[]
  readonly sum: number
  readonly count: number
}

interface Common {
  readonly name: string
  readonly help: string
}

type Series<Value> = readonly (readonly [labels: string, value: Value])[]

/** One metric with all its series, as plain data: it can go to another process. */
export type Family =
  | (Common & { readonly type: 'counter'; readonly series: Series<number> })
  | (Common & { readonly type: 'gauge'; readonly fold: Fold; readonly series: Series<number> })
  | (Common & { readonly type: 'histogram'; readonly bounds: readonly number[]; readonly series: Series<Distribution> })

/** The text format 0.0.4, which every collector reads. */
export function printFamilies(families: readonly Family[]): string {
  return families
    .map(
      (family) =>
        `# HELP ${family.name} ${family.help}\n# TYPE ${family.name} ${family.type}\n${linesOf(family).join('')}`,
    )
    .join('')
}

function linesOf(family: Family): readonly string[] {
  const { name } = family
  if (family.type !== 'histogram') return family.series.map(([labels, value]) => line(name, labels, value))
  return family.series.flatMap(([labels, { counts, sum, count }]) => [
    ...counts.map((within, index) => line(`${name}_bucket`, join(labels, `le="${family.bounds[index]}"`), within)),
    line(`${name}_bucket`, join(labels, 'le="+Inf"'), count),
    line(`${name}_sum`, labels, sum),
    line(`${name}_count`, labels, count),
  ])
}

function line(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${value}\n`
}

const join = (labels: string, more: string): string => (labels === '' ? more : `${labels},${more}`)

/** The families of several processes as if they were one, in the order of the first. */
export function mergeFamilies(all: readonly (readonly Family[])[]): readonly Family[] {
  const merged = new Map<string, Family>()
  for (const family of all.flat()) {
    const known = merged.get(family.name)
    merged.set(family.name, known === undefined ? family : merge(known, family))
  }
  return [...merged.values()]
}

function merge(one: Family, other: Family): Family {
  if (one.type === 'counter' && other.type === 'counter') return { ...one, series: mergeSeries(one, other, folds.sum) }
  if (one.type === 'gauge' && other.type === 'gauge')
    return { ...one, series: mergeSeries(one, other, folds[one.fold]) }
  if (one.type === 'histogram' && other.type === 'histogram')
    return { ...one, series: mergeSeries(one, other, addDistributions) }
  return one
}

const folds: Readonly<Record<Fold, (one: number, other: number) => number>> = {
  sum: (one, other) => one + other,
  max: Math.max,
  min: Math.min,
}

function addDistributions(one: Distribution, other: Distribution): Distribution {
  return {
    counts: one.counts.map((count, index) => count + (other.counts[index] ?? 0)),
    sum: one.sum + other.sum,
    count: one.count + other.count,
  }
}

function mergeSeries<Value>(
  one: { readonly series: Series<Value> },
  other: { readonly series: Series<Value> },
  fold: (one: Value, other: Value) => Value,
): Series<Value> {
  const merged = new Map(one.series)
  for (const [labels, value] of other.series) {
    const known = merged.get(labels)
    merged.set(labels, known === undefined ? value : fold(known, value))
  }
  return [...merged]
}

/** What a process that has ended has counted, without how it was at the end. */
export function countsOf(families: readonly Family[]): readonly Family[] {
  return families.filter(({ type }) => type !== 'gauge')
}
