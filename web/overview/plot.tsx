import { useEffect, useRef } from 'preact/hooks'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { theme } from '../app/theme.ts'
import type { Plotted, Series } from './series.ts'

interface PlotProps {
  readonly title: string
  readonly plotted: Plotted
  /** What it shows, in a sentence: for screen readers. */
  readonly words: string
}

const height = 170

export function Plot({ title, plotted, words }: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot | undefined>(undefined)
  const latest = useRef(plotted)
  latest.current = plotted
  const shape = plotted.series.map(({ name }) => name).join()
  const data = [plotted.times, ...plotted.series.map(({ values, drawn = values }) => drawn)] as UPlot.AlignedData
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const made = new UPlot(
      optionsOf(() => latest.current, element),
      data,
      element,
    )
    plot.current = made
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const redraw = (): void => made.redraw(false)
    scheme.addEventListener('change', redraw)
    return () => {
      scheme.removeEventListener('change', redraw)
      observer.disconnect()
      made.destroy()
    }
  }, [shape])
  useEffect(() => plot.current?.setData(data), [plotted])
  useEffect(() => plot.current?.redraw(false), [theme.value])
  return (
    <figure class="plot">
      <figcaption>
        <h2>{title}</h2>
        <ul class="plot-legend small">
          {plotted.series.map(({ name, color, look }) => (
            <li key={name}>
              <span class={`plot-sign ${look} ${color.slice(2)}`} aria-hidden="true" /> {name}
            </li>
          ))}
        </ul>
      </figcaption>
      <div class="plot-box" ref={box} role="img" aria-label={`${title}. ${words}`} />
    </figure>
  )
}

/** Colours are read when they are needed: the theme may change under a plot. */
function colorOf(element: Element, name: string): string {
  const probe = getComputedStyle(element.querySelector(`.plot-probe.${name.slice(2)}`) ?? element)
  return probe.color
}

/** `latest` is what is plotted now: it changes under the options. */
function optionsOf(latest: () => Plotted, element: HTMLElement): UPlot.Options {
  const { series, print, isCount } = latest()
  for (const name of ['--accent', '--error', '--muted', '--call', '--line']) {
    const probe = document.createElement('span')
    probe.className = `plot-probe ${name.slice(2)}`
    element.append(probe)
  }
  const ink = (name: string) => () => colorOf(element, name)
  const font = `11px ${getComputedStyle(element).fontFamily}`
  const axis = { stroke: ink('--muted'), font, ticks: { show: false }, grid: { stroke: ink('--line'), width: 1 } }
  return {
    width: element.clientWidth,
    height,
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
    scales: {
      // The last stretch of time has room, too: it is the one people look at first.
      x: { range: (_plot, first, last) => [first, last + stepOf(latest().times)] },
      y: { range: (_plot, _low, high) => [0, Math.max(1, (high ?? 0) * 1.1)] },
    },
    axes: [
      { ...axis, grid: { show: false }, size: 28, space: 70, values: (_plot, times) => times.map(clock) },
      {
        ...axis,
        size: 56,
        space: 34,
        values: (_plot, values) => values.map(print),
        ...(isCount === true && { incrs: wholeSteps }),
      },
    ],
    series: [{}, ...series.map((one) => seriesOf(one, ink(one.color)))],
    plugins: [tooltip(latest)],
  }
}

function seriesOf({ look }: Series, stroke: () => string): UPlot.Series {
  if (look === 'bars') {
    const paths = UPlot.paths.bars?.({ size: [0.7, 40], align: 1 })
    return { stroke, fill: stroke, width: 0, points: { show: false }, ...(paths !== undefined && { paths }) }
  }
  return {
    stroke,
    width: 1.5,
    spanGaps: true,
    points: { show: true, size: 4 },
    ...(look === 'dashes' && { dash: [5, 4] }),
  }
}

/** 1, 2, 5, 10, 20, … */
const wholeSteps = Array.from({ length: 27 }, (_, nth) => [1, 2, 5][nth % 3] ?? 1).map(
  (step, nth) => step * 10 ** Math.floor(nth / 3),
)

function stepOf([first = 0, second = first]: Plotted['times']): number {
  return second - first
}

function clock(seconds: number): string {
  const date = new Date(seconds * 1000)
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`
}

/** The figures under the pointer, in words. */
function tooltip(latest: () => Plotted): UPlot.Plugin {
  const box = document.createElement('div')
  box.className = 'plot-tip small'
  return {
    hooks: {
      init: (plot) => void plot.over.append(box),
      setCursor: (plot) => {
        const { idx, left = 0 } = plot.cursor
        box.hidden = idx == null || left < 0
        if (idx == null) return
        const { times, series, print } = latest()
        const time = times[idx]
        const figures = series.map(({ name, values }) => {
          const value = values[idx]
          return `${name} ${value == null ? '–' : print(value)}`
        })
        box.textContent = [time === undefined ? '' : clock(time), ...figures].join(' · ')
        box.style.left = `${Math.min(left, plot.over.clientWidth - box.offsetWidth)}px`
      },
    },
  }
}
