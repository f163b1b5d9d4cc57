import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Page } from '../../src/traces/api.ts'
import type { Exchange } from '../../src/traces/exchange.ts'
import { hrefs } from '../app/route.ts'
import { getJson, inWords } from '../data/api.ts'
import { summaries } from '../data/store.ts'
import { counted, inClock } from '../text/words.ts'
import { TurnView } from './turn.tsx'

/** So many turns are read; a longer conversation shows its last ones. */
const most = 100

/** The turns of one conversation in order, and what each prompt has in common with the one before. */
export function ConversationView({ id }: { readonly id: string }) {
  const turns = useSignal<readonly Exchange[]>([])
  const state = useSignal<'loading' | 'here' | { readonly why: string }>('loading')
  const known = summaries.value.filter(({ conversation }) => conversation === id)
  const finished = known.filter((one) => one.state !== 'open').length
  useEffect(() => {
    const abort = new AbortController()
    readTurns(id, abort.signal).then(
      (read) => {
        turns.value = read
        state.value = 'here'
      },
      (error: unknown) => {
        if (!abort.signal.aborted) state.value = { why: inWords(error) }
      },
    )
    return () => abort.abort()
  }, [id, finished, turns, state])

  if (state.value === 'loading') return <p class="loading muted">Reading the conversation…</p>
  if (typeof state.value === 'object')
    return (
      <div class="empty">
        <h1>This conversation can't be shown</h1>
        <p>{state.value.why}</p>
      </div>
    )
  const [first] = turns.value
  if (first === undefined)
    return (
      <div class="empty">
        <h1>This conversation is no longer kept</h1>
        <p>Old exchanges make room for new ones.</p>
        <a class="button" href={hrefs.exchanges}>
          Back to the list
        </a>
      </div>
    )
  return (
    <main class="conversation">
      <header class="page-head">
        <a class="button plain" href={hrefs.exchanges} aria-label="Back to the list">
          ←
        </a>
        <h1>{first.gist ?? 'Conversation'}</h1>
        <p class="muted">
          {counted(turns.value.length, 'turn')} · {[...new Set(turns.value.map(({ model }) => model))].join(', ')} ·{' '}
          {first.client} · since {inClock(first.at)}
        </p>
      </header>
      <ol class="turns">
        {turns.value.map((turn, i) => (
          <TurnView key={turn.id} nth={i + 1} exchange={turn} before={turns.value[i - 1]} />
        ))}
      </ol>
    </main>
  )
}

async function readTurns(id: string, signal: AbortSignal): Promise<readonly Exchange[]> {
  const page = await getJson<Page>(`exchanges?limit=${most}&conversation=${encodeURIComponent(id)}`, signal)
  const turns = page.exchanges.map((one) => getJson<Exchange>(`exchanges/${encodeURIComponent(one.id)}`, signal))
  return (await Promise.all(turns)).toReversed()
}
