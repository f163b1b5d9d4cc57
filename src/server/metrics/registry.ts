/** Values of labels, in the order the metric names them. */
type Labels = Readonly<Record<string, string>>

export interface Counter {
  add(labels: Labels, count?: number): void
}

export interface Histogram {
  observe(labels: Labels, value: number): void
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
  gauge(name: string, help: string, read: () => readonly Reading[]): void
  /** Every metric there is, by its name. */
  readonly names: readonly string[]
  print(): string
}

/** A metric with more kinds of labels than this has a leak: what comes later is not counted. */
const mostSeries = 5000

interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  lines(): Iterable<string>
}

/** The text format 0.0.4, which every collector reads. */
export function createRegistry(): Registry {
  const metrics: Metric[] = []

  function seriesOf<Value>(create: () => Value) {
    const series = new Map<string, Value>()
    return {
      all: series,
      at(labels: Labels): Value | undefined {
        const key = printLabels(labels)
        const known = series.get(key)
        if (known !== undefined || series.size >= mostSeries) return known
        const fresh = create()
        series.set(key, fresh)
        return fresh
      },
    }
  }

  return {
    counter(name, help) {
      const { all, at } = seriesOf(() => ({ count: 0 }))
      metrics.push({
        name,
        help,
        type: 'counter',
        lines: () => [...all].map(([key, { count }]) => line(name, key, count)),
      })
      return {
        add(labels, count = 1) {
          const series = at(labels)
          if (series !== undefined) series.count += count
        },
      }
    },
    histogram(name, help, buckets) {
      const { all, at } = seriesOf(() => ({ counts: buckets.map(() => 0), sum: 0, count: 0 }))
      metrics.push({
        name,
        help,
        type: 'histogram',
        lines: () =>
          [...all].flatMap(([key, { counts, sum, count }]) => [
            ...counts.map((within, index) => line(`${name}_bucket`, join(key, `le="${buckets[index]}"`), within)),
            line(`${name}_bucket`, join(key, 'le="+Inf"'), count),
            line(`${name}_sum`, key, sum),
            line(`${name}_count`, key, count),
          ]),
      })
      return {
        observe(labels, value) {
          const series = at(labels)
          if (series === undefined) return
          series.sum += value
          series.count += 1
          for (const [index, bound] of buckets.entries())
            if (value <= bound) series.counts[index] = (series.counts[index] ?? 0) + 1
        },
      }
    },
    gauge(name, help, read) {
      metrics.push({
        name,
        help,
        type: 'gauge',
        lines: () => read().map(({ labels = {}, value }) => line(name, printLabels(labels), value)),
      })
    },
    get names() {
      return metrics.map(({ name }) => name)
    },
    print: () =>
      metrics
        .map(
          ({ name, help, type, lines }) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${[...lines()].join('')}`,
        )
        .join(''),
  }
}

function line(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${value}\n`
}

const join = (labels: string, more: string): string => (labels === '' ? more : `${labels},${more}`)

function printLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, escaped)}"`)
    .join(',')
}

const escaped = (character: string): string => (character === '\n' ? '\\n' : `\\${character}`)
