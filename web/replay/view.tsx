import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { Exchange } from '../../src/traces/exchange.ts'
import { hrefs } from '../app/route.ts'
import { key, keyHeaders } from '../data/client.ts'
import { createOpened, type Opened } from '../data/exchange.ts'
import { readModels } from '../data/models.ts'
import { info } from '../data/store.ts'
import { Facts } from '../exchange/figures/facts.tsx'
import { NotesView } from '../exchange/notes.tsx'
import { GotView } from '../exchange/panes/got.tsx'
import { SaidView } from '../exchange/panes/said.tsx'
import { Tokens } from '../list/cells.tsx'
import { isRunning, type Otherwise, problem, replay, replayOf, stop, whyNot } from './replay.ts'

/** An exchange asked again, as it was or otherwise, and both answers side by side. */
export function ReplayView({ id }: { readonly id: string }) {
  const first = useOpened(id)
  const second = useOpened(useMemo(() => replayOf(id), [id]).value)
  if (first === undefined || first.state === 'loading') return <p class="loading muted">Reading the exchange…</p>
  if (first.state === 'failed') return <p class="loading error">✕ {first.why}</p>
  return (
    <main class="replay">
      <header class="page-head">
        <a class="button plain" href={hrefs.exchange(id)} aria-label="Back to the exchange">
          ←
        </a>
        <h1>Ask again</h1>
        <ReplayForm key={id} exchange={first.exchange} />
      </header>
      <div class="replay-sides">
        <Side title="As it was" exchange={first.exchange} />
        {second?.state === 'here' ? (
          <Side title="Asked again" exchange={second.exchange} />
        ) : (
          <section class="empty">
            <h2>{isRunning.value ? 'Asking…' : 'Nothing was asked again yet'}</h2>
            <p class="muted">
              Choose what is to be different and press Send. The answer appears here while it streams, beside the first
              one.
            </p>
          </section>
        )}
      </div>
    </main>
  )
}

function useOpened(id: string | undefined): Opened | undefined {
  const one = useMemo(createOpened, [])
  useEffect(() => {
    if (id === undefined) one.close()
    else void one.open(id)
    return one.close
  }, [id, one])
  return one.opened.value
}

function Side({ title, exchange }: { readonly title: string; readonly exchange: Exchange }) {
  const attempt = exchange.attempts.at(-1)
  return (
    <section class="replay-side" aria-label={title}>
      <h2 class="muted small">
        <a href={hrefs.exchange(exchange.id)}>{title}</a> · <Tokens usage={exchange.usage} />
      </h2>
      <Facts exchange={exchange} attempt={attempt} />
      <h3>The model said</h3>
      <SaidView exchange={exchange} attempt={attempt} />
      <h3>Client got</h3>
      <GotView exchange={exchange} />
      <h3>Notes</h3>
      <NotesView exchange={exchange} />
    </section>
  )
}

const modes = ['native', 'template', 'prompt'] as const

function ReplayForm({ exchange }: { readonly exchange: Exchange }) {
  const { model = '', mode = '', dialect = '' } = exchange
  const otherwise = useSignal<Otherwise>({ model, mode: modes.some((one) => one === mode) ? mode : '', dialect })
  const models = useSignal<readonly string[]>([])
  const reason = useComputed(() => whyNot(exchange)).value
  useEffect(() => {
    readModels(keyHeaders()).then(
      (list) => (models.value = list.map((one) => one.id)),
      () => undefined,
    )
  }, [key.value, models])
  const choose = (name: keyof Otherwise, label: string, all: readonly string[], first?: string) => (
    <label class="replay-choice">
      <span class="form-label">{label}</span>
      <select
        class="field"
        value={otherwise.value[name]}
        disabled={name === 'dialect' && otherwise.value.mode === 'native'}
        onChange={(event) => (otherwise.value = { ...otherwise.value, [name]: event.currentTarget.value })}
      >
        {first !== undefined && <option value="">{first}</option>}
        {[...new Set([otherwise.value[name], ...all])].filter(Boolean).map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  )
  if (reason !== undefined) return <p class="muted">It can't be asked again: {reason}</p>
  return (
    <form
      class="replay-form"
      aria-label="What is to be different"
      onSubmit={(event) => {
        event.preventDefault()
        void replay(exchange, otherwise.value)
      }}
    >
      {choose('model', 'Model', models.value)}
      {choose('mode', 'Mode', modes, 'auto')}
      {choose('dialect', 'Dialect', info.value?.dialects ?? [], 'auto')}
      {info.value?.needsKey === true && (
        <label class="replay-choice">
          <span class="form-label">API key (kept in this tab only)</span>
          <input
            class="field"
            type="password"
            autocomplete="off"
            value={key.value}
            onChange={(event) => (key.value = event.currentTarget.value)}
          />
        </label>
      )}
      {isRunning.value ? (
        <button key="stop" type="button" class="button" onClick={stop}>
          Stop
        </button>
      ) : (
        <button key="send" type="submit" class="button primary">
          Send
        </button>
      )}
      {problem.value !== undefined && (
        <p class="form-problem" role="alert">
          ✕ {problem.value}
        </p>
      )}
    </form>
  )
}
