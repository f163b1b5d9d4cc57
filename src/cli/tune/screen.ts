import type { Race } from '../../tune/race.ts'
import type { Way } from '../../tune/ways.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { clock, percent, printBar, printWhisker, range } from './figures.ts'

/** What is seen while it measures. */
export interface Screen {
  /** An answer came in. */
  count(): void
  /** A round is over. */
  show(race: Race): void
  close(): void
}

interface ScreenOptions {
  readonly ways: readonly Way[]
  readonly maxRounds: number
  readonly now: () => number
}

const shownWays = 12
const everyMs = 60
const nothing = { done: 0, of: 0 }

export function createScreen(
  options: ScreenOptions,
  terminal: Pick<Terminal, 'interactive' | 'columns' | 'complain' | 'paint'>,
): Screen {
  return terminal.interactive ? createLiveScreen(options, terminal) : createLineScreen(options, terminal)
}

/** A bar and a table that are drawn over and over. */
function createLiveScreen(
  { ways, maxRounds, now }: ScreenOptions,
  { columns, complain, paint }: Pick<Terminal, 'columns' | 'complain' | 'paint'>,
): Screen {
  const begun = now()
  let requests = 0
  let drawn = 0
  let drawnAt = Number.NEGATIVE_INFINITY
  let last: Race | undefined

  function lines(race: Race | undefined): readonly string[] {
    const rounds = race?.rounds ?? 0
    const left = race?.ways.length ?? ways.length
    const words = `${rounds} of at most ${maxRounds} tasks · ${requests} answers · ${left} of ${ways.length} left · ${clock(now() - begun)}`
    const bar = Math.max(8, Math.min(30, columns - words.length - 6))
    const rows = ranked(race).slice(0, shownWays)
    const label = Math.max(...rows.map((way) => way.length))
    const width = Math.max(16, Math.min(60, columns - label - 28))
    const more = ways.length - rows.length
    return [
      `  ${paint('cyan', printBar(rounds / maxRounds, bar))}  ${words}`.slice(0, columns + paint('cyan', '').length),
      '',
      ...rows.map((way) => printRow(way, race, label, width)),
      ...(more > 0 ? [paint('dim', `  and ${more} more`)] : []),
    ]
  }

  function ranked(race: Race | undefined): readonly Way[] {
    const isOut = (way: Way): number => Number(race?.exits.has(way) ?? false)
    const share = (way: Way): number => {
      const { done, of } = race?.tally(way) ?? nothing
      return of === 0 ? 0 : done / of
    }
    return ways.toSorted((a, b) => isOut(a) - isOut(b) || share(b) - share(a))
  }

  function printRow(way: Way, race: Race | undefined, label: number, width: number): string {
    const { done, of } = race?.tally(way) ?? nothing
    const exit = race?.exits.get(way)
    const interval = race?.interval(way) ?? { low: 0, high: 1 }
    const whisker = of === 0 ? ' '.repeat(width) : printWhisker(done / of, interval, width)
    const figures = of === 0 ? '' : `${percent(done / of).padStart(4)} ${`(${range(interval)})`.padEnd(9)} ${of}`
    const line = `  ${exit === undefined ? ' ' : '✗'} ${way.padEnd(label)}  ${whisker}  ${figures}`.trimEnd()
    return exit === undefined ? line : paint('dim', line)
  }

  function draw(): void {
    if (now() - drawnAt < everyMs) return
    drawnAt = now()
    const all = lines(last)
    complain(`${erase(drawn)}${all.map((line) => `\u001b[2K${line}\n`).join('')}`)
    drawn = all.length
  }

  return {
    count() {
      requests += 1
      draw()
    },
    show(race) {
      last = race
      draw()
    },
    close() {
      complain(erase(drawn))
      drawn = 0
    },
  }
}

/** Back to the first of so many lines, and everything below gone. */
function erase(lines: number): string {
  return lines === 0 ? '' : `\u001b[${lines}A\r\u001b[0J`
}

const everyRounds = 20

/** A line now and then, for logs. */
function createLineScreen({ ways, maxRounds }: ScreenOptions, { complain }: Pick<Terminal, 'complain'>): Screen {
  const told = new Set<Way>()
  let last = 0
  return {
    count: () => undefined,
    show(race) {
      for (const [way, exit] of race.exits) {
        if (told.has(way)) continue
        told.add(way)
        complain(
          `after ${race.rounds} tasks: ${way} is out, ${exit.kind === 'beaten' ? `${exit.by} is better` : exit.reason}\n`,
        )
      }
      if (race.rounds < last + everyRounds) return
      last = race.rounds
      const standing = race.ways.map((way) => `${way} ${range(race.interval(way))}%`).slice(0, shownWays)
      complain(
        `${race.rounds} of at most ${maxRounds} tasks, ${race.ways.length} of ${ways.length} left: ${standing.join(', ')}\n`,
      )
    },
    close: () => undefined,
  }
}
