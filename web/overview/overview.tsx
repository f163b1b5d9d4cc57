import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Figures, Overview } from '../../src/traces/api.ts'
import { RecordingOff } from '../app/empty.tsx'
import { getJson, inWords } from '../data/api.ts'
import { info } from '../data/store.ts'
import { isRemarkable } from '../text/remarkable.ts'
import { counted, inDigits, inPace, inShort, inTime } from '../text/words.ts'
import { Own } from './own.tsx'
import { Plot } from './plot.tsx'
import { firstBytes, requests, speeds } from './series.ts'
import { Dialects, Errors, Keys, Models, nameOf, Repairs } from './tables.tsx'

const spans = [
  ['15 minutes', 15 * 60_000],
  ['hour', 3_600_000],
  ['6 hours', 6 * 3_600_000],
  ['24 hours', 24 * 3_600_000],
] as const

const refreshMs = 10_000
const buckets = 60

/** A few plots that matter. */
export function OverviewPage() {
  const span = useSignal<number>(3_600_000)
  const chosen = useSignal<Choice>(everything)
  const overview = useSignal<Overview | undefined>(undefined)
  const failure = useSignal<string | undefined>(undefined)
  useEffect(() => {
    const abort = new AbortController()
    const load = async (): Promise<void> => {
      try {
        overview.value = await getJson<Overview>(`overview?last=${span.value}&buckets=${buckets}`, abort.signal)
        failure.value = undefined
      } catch (error) {
        if (!abort.signal.aborted) failure.value = inWords(error)
      }
    }
    void load()
    const timer = setInterval(load, refreshMs)
    return () => {
      abort.abort()
      clearInterval(timer)
    }
  }, [span.value, overview, failure])

  if (info.value?.recording.store === 'off') return <RecordingOff />
  const { value } = overview
  const choices = choicesOf(value, chosen.value)
  return (
    <main class="overview">
      <header class="page-head">
        <h1>Overview</h1>
        <label>
          <span class="hidden-label">Time span</span>
          <select
            class="field"
            value={span.value}
            onChange={(event) => (span.value = Number(event.currentTarget.value))}
          >
            {spans.map(([name, ms]) => (
              <option key={name} value={ms}>
                the last {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span class="hidden-label">Model</span>
          <select
            class="field"
            value={keyOf(chosen.value)}
            onChange={(event) => {
              const { value: key } = event.currentTarget
              chosen.value = choices.find((one) => keyOf(one) === key) ?? everything
            }}
          >
            {choices.map((one) => (
              <option key={keyOf(one)} value={keyOf(one)}>
                {one.of === 'all' ? 'all models' : nameOf(one.model)}
              </option>
            ))}
          </select>
        </label>
        {value?.isComplete === false && <span class="warn small">▲ More exchanges than can be counted here.</span>}
      </header>
      {failure.value !== undefined && (
        <p class="banner error" role="alert">
          ✕ {failure.value}
        </p>
      )}
      {value?.own !== undefined && <Own own={value.own} />}
      {value === undefined ? (
        failure.value === undefined && <p class="loading muted">Counting…</p>
      ) : (
        <FiguresView
          overview={value}
          figures={figuresOf(value, chosen.value)}
          onModel={(model) => (chosen.value = { of: 'model', model })}
        />
      )}
    </main>
  )
}

/** All requests, or those of one model; without a name: those that named none. */
type Choice = { readonly of: 'all' } | { readonly of: 'model'; readonly model: string | undefined }

const everything: Choice = { of: 'all' }

function keyOf(choice: Choice): string {
  if (choice.of === 'all') return 'all'
  return choice.model === undefined ? 'none' : `model ${choice.model}`
}

/** What was chosen stays there, also where nothing was asked of it in this time. */
function choicesOf(overview: Overview | undefined, chosen: Choice): readonly Choice[] {
  const models = (overview?.models ?? []).map(({ model }): Choice => ({ of: 'model', model }))
  const choices = [everything, ...models]
  return choices.some((one) => keyOf(one) === keyOf(chosen)) ? choices : [...choices, chosen]
}

/** Undefined where nothing was asked. */
function figuresOf({ all, models }: Overview, choice: Choice): Figures | undefined {
  const figures = choice.of === 'all' ? all : models.find(({ model }) => model === choice.model)
  return figures === undefined || figures.total.requests === 0 ? undefined : figures
}

interface FiguresProps {
  readonly overview: Overview
  readonly figures: Figures | undefined
  readonly onModel: (model: string | undefined) => void
}

function FiguresView({ overview, figures, onModel }: FiguresProps) {
  if (figures === undefined)
    return (
      <div class="empty">
        <h2>No requests in this time</h2>
        <p class="muted">Choose a longer time span, or send a request.</p>
      </div>
    )
  const { total } = figures
  return (
    <>
      <dl class="tiles">
        <Tile name="requests" value={inDigits(total.requests)} />
        <Tile
          name="failed"
          value={inDigits(total.failed)}
          about={total.aborted > 0 ? `${inDigits(total.aborted)} gone` : ''}
          isBad={total.failed > 0}
        />
        <Tile
          name="to first byte"
          value={total.firstByteMs === undefined ? '–' : inTime(total.firstByteMs.p50)}
          about={total.firstByteMs === undefined ? '' : `p95 ${inTime(total.firstByteMs.p95)}`}
        />
        <Tile
          name="tokens a second"
          value={total.tokensPerSecond === undefined ? '–' : inPace(total.tokensPerSecond.p50)}
        />
        <Tile
          name="tokens"
          value={inShort(total.promptTokens + total.completionTokens)}
          about={`${inShort(total.completionTokens)} out`}
        />
        <Tile name="calls" value={inDigits(total.calls)} />
      </dl>
      <div class="plots">
        <Plot
          title="Requests"
          plotted={requests(figures.buckets)}
          words={`${counted(total.requests, 'request')}, ${inDigits(total.failed)} failed.`}
        />
        <Plot
          title="Time to first byte"
          plotted={firstBytes(figures.buckets)}
          words={
            total.firstByteMs === undefined
              ? 'No model said anything.'
              : `Half within ${inTime(total.firstByteMs.p50)}, 95 % within ${inTime(total.firstByteMs.p95)}.`
          }
        />
        <Plot
          title="Tokens a second"
          plotted={speeds(figures.buckets)}
          words={
            total.tokensPerSecond === undefined
              ? 'No answer took long enough to measure.'
              : `Half at ${inPace(total.tokensPerSecond.p50)} or more.`
          }
        />
      </div>
      <div class="tables">
        <Models models={overview.models} others={overview.otherModels} onModel={onModel} />
        <Dialects dialects={figures.dialects} />
        <Repairs notes={figures.notes.filter(({ kind }) => isRemarkable(kind))} />
        <Keys keys={figures.keys} />
        <Errors errors={figures.errors} />
      </div>
    </>
  )
}

interface TileProps {
  readonly name: string
  readonly value: string
  readonly about?: string
  readonly isBad?: boolean
}

function Tile({ name, value, about = '', isBad = false }: TileProps) {
  return (
    <div class={isBad ? 'tile bad' : 'tile'}>
      <dt class="muted small">{name}</dt>
      <dd>
        <span class="tile-value">
          {isBad && <span aria-hidden="true">✕ </span>}
          {value}
        </span>
        {about !== '' && <span class="tile-about muted small"> {about}</span>}
      </dd>
    </div>
  )
}
