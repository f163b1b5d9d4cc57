import { hrefs } from '../app/route.ts'
import { info } from '../data/store.ts'
import { panesOf, useShownCalls } from '../exchange/exchange.tsx'
import { Facts } from '../exchange/figures/facts.tsx'
import { TimeLine } from '../exchange/figures/time-line.tsx'
import { NotesView } from '../exchange/notes.tsx'
import { Panes } from '../exchange/panes/panes.tsx'
import { answerCalls } from './draft.ts'
import { PlayForm } from './form.tsx'
import { isRunning, opened } from './play.ts'
import { stage } from './stage.ts'

/** Ask a model and watch both sides of the exchange while it streams. */
export function Playground() {
  return (
    <main class="playground split">
      <PlayForm />
      <Stage />
    </main>
  )
}

function Stage() {
  const now = opened.value
  const exchange = now?.state === 'here' ? now.exchange : undefined
  useShownCalls(exchange)
  if (info.value?.recording.store === 'off')
    return (
      <div class="empty">
        <h1>Recording is off</h1>
        <p>
          The playground shows what was recorded of its own requests. Set <code>traces: memory</code> in the config file
          to see them here.
        </p>
      </div>
    )
  if (now?.state === 'failed') return <p class="pane-empty error">✕ {now.why}</p>
  if (exchange === undefined)
    return (
      <div class="empty">
        <h1>{isRunning.value ? 'Asking…' : 'Ask a model'}</h1>
        <p>
          What you send, what the model is told, what it says and what a client gets appear here side by side, while it
          streams.
        </p>
        <p class="muted">
          {stage.value?.isListed === true
            ? 'To start from something that really happened, open an exchange and choose “Open in the playground”.'
            : 'Nothing leaves this page: it needs no server and no key.'}
        </p>
      </div>
    )
  const attempt = exchange.attempts.at(-1)
  return (
    <div class="exchange">
      <header class="exchange-head">
        <Facts exchange={exchange} attempt={attempt} />
        <div class="actions">
          {!isRunning.value && exchange.got.calls.some(({ isComplete }) => isComplete) && (
            <button type="button" class="button" onClick={() => answerCalls(exchange)}>
              Answer these calls
            </button>
          )}
          {stage.value?.isListed === true && (
            <a class="button" href={hrefs.exchange(exchange.id)}>
              Open the exchange
            </a>
          )}
        </div>
      </header>
      <Panes panes={panesOf(exchange, attempt)} />
      <div class="exchange-foot">
        <TimeLine exchange={exchange} attempt={attempt} />
        <section aria-labelledby="play-notes">
          <h2 id="play-notes">Notes</h2>
          <NotesView exchange={exchange} />
        </section>
      </div>
    </div>
  )
}
