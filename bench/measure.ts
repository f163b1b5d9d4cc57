/**
 * The least CPU time of each run over several rounds, in nanoseconds. CPU time, because wall-clock time drifts too much on
 * a machine that is shared; of the whole process, because the collector's threads work for the code that made the
 * garbage; round by round, so that a slow minute hits all runs alike.
 */
export function leastOfEach(rounds: number, runs: readonly (() => void)[]): readonly number[] {
  const least = runs.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < rounds; round++) {
    for (const [index, run] of runs.entries()) {
      const start = process.cpuUsage()
      run()
      const { user, system } = process.cpuUsage(start)
      least[index] = Math.min(least[index] as number, (user + system) * 1000)
    }
  }
  return least
}

export function cut(text: string, size: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  )
}

/** One figure beside its target; false when it misses `bound`, which is the target unless there is a looser one. */
export function report(what: string, figure: number, target: number, unit: string, bound = target): boolean {
  const verdict = figure <= target ? 'met   ' : figure <= bound ? 'short ' : 'MISSED'
  console.log(
    `${verdict}  ${what.padEnd(64)} ${figure.toFixed(2).padStart(8)} ${unit.padEnd(9)} target ≤ ${target}${bound === target ? '' : `, bound ${bound}`}`,
  )
  return figure <= bound
}
