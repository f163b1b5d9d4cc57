import { rateInterval } from '../../../tune/statistics.ts'
import type { Standing } from '../../../tune/summary.ts'
import type { Trial } from '../../../tune/trial.ts'
import { percent, range } from '../figures.ts'
import { escaped, short } from './html.ts'

const width = 860
const rowHeight = 34

function colorOf({ way, exit }: Standing, chosen: string | undefined): string {
  if (way === chosen) return 'var(--best)'
  return exit === undefined ? 'var(--alive)' : 'var(--out)'
}

function labelWidth(standings: readonly Standing[]): number {
  return Math.max(60, ...standings.map(({ way }) => way.length * 7.6)) + 14
}

/** Each way's success as a dot, and where the true rate is as a line. */
export function printSuccess(standings: readonly Standing[], chosen: string | undefined): string {
  const left = labelWidth(standings)
  const right = 116
  const x = (share: number): number => left + share * (width - left - right)
  const height = standings.length * rowHeight + 24
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<line class="grid" x1="${short(x(share))}" x2="${short(x(share))}" y1="0" y2="${height - 22}"/><text class="soft" text-anchor="middle" x="${short(x(share))}" y="${height - 5}">${percent(share)}</text>`,
  )
  const rows = standings.map((standing, index) => {
    const { way, success } = standing
    const y = index * rowHeight + rowHeight / 2
    const color = colorOf(standing, chosen)
    const bold = way === chosen ? ' font-weight="650"' : ''
    return `<g><title>${escaped(way)}: ${success.count} of ${success.of} tasks, ${range(success)}%</title>
<text x="0" y="${y + 4}"${bold}>${escaped(way)}</text>
<line x1="${short(x(success.low))}" x2="${short(x(success.high))}" y1="${y}" y2="${y}" stroke="${color}" stroke-width="6" stroke-linecap="round" opacity=".28"/>
<circle cx="${short(x(success.value))}" cy="${y}" r="6" fill="${color}"/>
<text x="${width - right + 16}" y="${y + 4}"${bold}>${percent(success.value)} <tspan class="soft">${range(success)}</tspan></text></g>`
  })
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Success of each way with its interval">${grid.join('')}${rows.join('')}</svg>`
}

const points = 80
const plotHeight = 260

/** How the rates settled as tasks came in, of the ways that lasted longest. */
export function printCourse(
  standings: readonly Standing[],
  trials: readonly Trial[],
  chosen: string | undefined,
  alpha: number,
): string {
  const shown = standings.filter(({ success }) => success.of > 1).slice(0, 6)
  const rounds = Math.max(1, ...trials.map(({ round }) => round + 1))
  const [left, right] = [40, Math.max(...shown.map(({ way }) => way.length * 7.6), 60) + 16]
  const x = (round: number): number => left + (round / rounds) * (width - left - right)
  const y = (share: number): number => 10 + (1 - share) * (plotHeight - 40)
  const grid = [0, 0.5, 1].map(
    (share) =>
      `<line class="grid" x1="${left}" x2="${width - right}" y1="${short(y(share))}" y2="${short(y(share))}"/><text class="soft" text-anchor="end" x="${left - 8}" y="${short(y(share) + 4)}">${percent(share)}</text>`,
  )
  const labels = spread(shown.map(({ success }) => y(success.value)))
  const lines = shown.map((standing, index) => {
    const own = trials.filter(({ way }) => way === standing.way)
    const course = courseOf(own, alpha)
    const color = colorOf(standing, chosen)
    const line = course.map(({ round, value }) => `${short(x(round))},${short(y(value))}`).join(' ')
    const band = [
      ...course.map(({ round, high }) => `${short(x(round))},${short(y(high))}`),
      ...course.toReversed().map(({ round, low }) => `${short(x(round))},${short(y(low))}`),
    ].join(' ')
    const isChosen = standing.way === chosen
    const end = course.at(-1)
    return `${isChosen ? `<polygon points="${band}" fill="${color}" opacity=".13"/>` : ''}
<polyline points="${line}" fill="none" stroke="${color}" stroke-width="${isChosen ? 2.5 : 1.6}"${standing.exit === undefined ? '' : ' stroke-dasharray="4 3"'}/>
<circle cx="${short(x(end?.round ?? 0))}" cy="${short(y(end?.value ?? 0))}" r="3" fill="${color}"/>
<text x="${short(width - right + 10)}" y="${short((labels[index] ?? 0) + 4)}" style="fill:${color}">${escaped(standing.way)}</text>`
  })
  const axis = `<text class="soft" x="${left}" y="${plotHeight - 6}">first task</text><text class="soft" text-anchor="end" x="${width - right}" y="${plotHeight - 6}">task ${rounds}</text>`
  return `<svg viewBox="0 0 ${width} ${plotHeight}" role="img" aria-label="Success over time">${grid.join('')}${lines.toReversed().join('')}${axis}</svg>`
}

/** Labels that would lie on each other are moved apart. */
function spread(wanted: readonly number[], apart = 17): readonly number[] {
  const order = wanted.map((at, index) => ({ at, index })).sort((a, b) => a.at - b.at)
  let last = Number.NEGATIVE_INFINITY
  for (const one of order) {
    one.at = Math.max(one.at, last + apart)
    last = one.at
  }
  return order.toSorted((a, b) => a.index - b.index).map(({ at }) => at)
}

function courseOf(trials: readonly Trial[], alpha: number) {
  const step = Math.max(1, Math.ceil(trials.length / points))
  let done = 0
  return trials.flatMap((trial, index) => {
    done += Number(trial.done)
    const isShown = (index + 1) % step === 0 || index === trials.length - 1 || index === 0
    if (!isShown) return []
    return [{ round: trial.round + 1, value: done / (index + 1), ...rateInterval(done, index + 1, alpha) }]
  })
}

/** Medians as bars. */
export function printCosts(
  standings: readonly Standing[],
  chosen: string | undefined,
  figureOf: (standing: Standing) => number | undefined,
  unit: (value: number) => string,
): string {
  const rows = standings.flatMap((standing) => {
    const value = figureOf(standing)
    return value === undefined ? [] : [{ standing, value }]
  })
  const small = 440
  const left = labelWidth(rows.map(({ standing }) => standing))
  const most = Math.max(...rows.map(({ value }) => value), 1)
  const x = (value: number): number => left + (value / most) * (small - left - 78)
  const bars = rows.map(({ standing, value }, index) => {
    const y = index * 28 + 14
    const color = colorOf(standing, chosen)
    return `<text x="0" y="${y + 4}">${escaped(standing.way)}</text><rect x="${left}" y="${y - 8}" width="${short(Math.max(1, x(value) - left))}" height="16" rx="3" fill="${color}" opacity=".55"/><text class="soft" x="${short(x(value) + 8)}" y="${y + 4}">${escaped(unit(value))}</text>`
  })
  return `<svg viewBox="0 0 ${small} ${rows.length * 28 + 4}" role="img">${bars.join('')}</svg>`
}
