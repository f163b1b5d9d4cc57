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
