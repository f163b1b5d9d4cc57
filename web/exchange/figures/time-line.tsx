import type { Attempt, Exchange } from '../../../src/traces/exchange.ts'
import { counted, inDigits, inLength, inTime } from '../../text/words.ts'
import { bucketsOf, holdsOf } from './flow.ts'

const stretches = 120
const [width, lane, gap] = [1200, 34, 26]
const height = lane * 2 + gap

/** When the model spoke, when the client heard of it, and what was held back in between. */
export function TimeLine({
  exchange,
  attempt,
}: {
  readonly exchange: Exchange
  readonly attempt: Attempt | undefined
}) {
  const said = attempt?.said.pieces ?? []
  const got = exchange.got.pieces
  if (attempt === undefined || (said.length === 0 && got.length === 0)) return null
  const totalMs = Math.max(exchange.totalMs ?? 0, said.at(-1)?.[0] ?? 0, got.at(-1)?.[0] ?? 0, 1)
  const holds = holdsOf(said, got)
  const longest = holds.reduce((most, { from, to }) => Math.max(most, to - from), 0)
  const x = (ms: number): number => (ms / totalMs) * width
  const [saidLength, gotLength] = [sum(said), sum(got)]
  const words =
    `${counted(said.length, 'piece')} came from the model between ${inTime(said[0]?.[0] ?? 0)} and ` +
    `${inTime(said.at(-1)?.[0] ?? 0)}; ${counted(got.length, 'write')} went to the client. ` +
    (holds.length === 0
      ? 'Nothing was held back.'
      : `Text was held back ${holds.length === 1 ? 'once' : `${inDigits(holds.length)} times`}, ${inTime(longest)} at the longest.`)
  return (
    <figure class="time-line">
      <figcaption class="hidden-label">Time line of the stream</figcaption>
      <div class="lane-names small" aria-hidden="true">
        <span>
          from the model <span class="muted">{inLength(saidLength)}</span>
        </span>
        <span class={holds.length === 0 ? 'muted' : 'held-name'}>
          {holds.length === 0 ? 'nothing held' : `▨ held ${inTime(longest)}`}
        </span>
        <span>
          to the client <span class="muted">{inLength(gotLength)}</span>
        </span>
      </div>
      <div class="lanes">
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={words}>
          <defs>
            <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect class="hatch-ground" width="6" height="6" />
              <rect class="hatch-line" width="2" height="6" />
            </pattern>
          </defs>
          <line class="lane-base" x1="0" x2={width} y1={lane} y2={lane} />
          <line class="lane-base" x1="0" x2={width} y1={height} y2={height} />
          {holds.map(({ from, to, length }) => (
            <rect
              key={from}
              class="hold"
              x={x(from)}
              y={lane + 3}
              width={Math.max(2, x(to) - x(from))}
              height={gap - 6}
            >
              <title>{`${counted(length, 'character')} held for ${inTime(to - from)}`}</title>
            </rect>
          ))}
          <Bars beats={said} {...{ totalMs }} kind="said-bars" base={lane} />
          <Bars beats={got} {...{ totalMs }} kind="got-bars" base={height} />
          {exchange.firstByteMs !== undefined && (
            <line class="first-byte" x1={x(exchange.firstByteMs)} x2={x(exchange.firstByteMs)} y1="0" y2={height}>
              <title>{`First byte after ${inTime(exchange.firstByteMs)}`}</title>
            </line>
          )}
        </svg>
        <div class="lane-times small muted" aria-hidden="true">
          <span>0</span>
          <span>{inTime(totalMs / 2)}</span>
          <span>{inTime(totalMs)}</span>
        </div>
      </div>
    </figure>
  )
}

interface BarsProps {
  readonly beats: readonly (readonly [number, number])[]
  readonly totalMs: number
  readonly kind: string
  readonly base: number
}

function Bars({ beats, totalMs, kind, base }: BarsProps) {
  const buckets = bucketsOf(beats, totalMs, stretches)
  const top = Math.max(...buckets, 1)
  const step = width / stretches
  return (
    <g class={kind}>
      {buckets.map((amount, i) => {
        if (amount === 0) return null
        const high = Math.max(3, Math.sqrt(amount / top) * (lane - 2))
        return (
          <rect key={i} x={i * step + 1} y={base - high} width={step - 2} height={high}>
            <title>{`${inLength(amount)} at ${inTime(((i + 0.5) / stretches) * totalMs)}`}</title>
          </rect>
        )
      })}
    </g>
  )
}

function sum(beats: readonly (readonly [number, number])[]): number {
  return beats.reduce((total, [, length]) => total + length, 0)
}
