import { signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Page } from '../../src/traces/api.ts'
import type { Exchange, SentMessage } from '../../src/traces/exchange.ts'
import { hrefs } from '../app/route.ts'
import { getJson, inWords } from '../data/api.ts'
import { known } from '../data/store.ts'
import { counted, inClock } from '../text/words.ts'
import { promptOf, summaryOf, type Turn, TurnView } from './turn.tsx'

const hasPrompts = signal(false)

/** So many turns are read; a longer conversation shows its last ones. */
const most = 100

/** The turns of one conversation in order, and what each prompt has in common with the one before. */
export function ConversationView({ id }: { readonly id: string }) {
  const turns = useSignal<readonly Turn[]>([])
  const state = useSignal<'loading' | 'here' | { readonly why: string }>('loading')
  const listed = known.value.filter(({ conversation }) => conversation === id)
  const finished = listed.filter((one) => one.state !== 'open').length
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
  const all = turns.value.map(summaryOf)
  const [first] = all
  const earlier = Math.max(0, listed.length - all.length)
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
        <h1>{all.find(({ gist }) => gist !== undefined)?.gist ?? 'Conversation'}</h1>
        <p class="muted">
          {earlier > 0 && 'the last '}
          {counted(all.length, 'turn')} · {[...new Set(all.flatMap(({ model }) => model ?? []))].join(', ')} ·{' '}
          {first.client} · since {inClock(first.at)}
        </p>
        <button
          type="button"
          class="button push"
          aria-pressed={hasPrompts.value}
          title="What the model was sent in each turn, compared with the turn before"
          onClick={() => (hasPrompts.value = !hasPrompts.value)}
        >
          Prompts
        </button>
      </header>
      <ol class="turns">
        {turns.value.map((turn, i) => (
          <TurnView
            key={summaryOf(turn).id}
            nth={earlier + i + 1}
            turn={turn}
            before={promptBefore(turns.value, i)}
            hasPrompt={hasPrompts.value}
          />
        ))}
      </ol>
    </main>
  )
}

/** The prompt of the last turn before this one that came to a model. */
function promptBefore(turns: readonly Turn[], nth: number): readonly SentMessage[] | undefined {
  for (const turn of turns.slice(0, nth).toReversed()) {
    const prompt = 'exchange' in turn ? promptOf(turn.exchange) : undefined
    if (prompt !== undefined) return prompt
  }
  return undefined
}

async function readTurns(id: string, signal: AbortSignal): Promise<readonly Turn[]> {
  const page = await getJson<Page>(`exchanges?limit=${most}&conversation=${encodeURIComponent(id)}`, signal)
  const turns = page.exchanges.map(async (summary): Promise<Turn> => {
    try {
      return { exchange: await getJson<Exchange>(`exchanges/${encodeURIComponent(summary.id)}`, signal) }
    } catch (error) {
      if (signal.aborted) throw error
      return { summary, why: inWords(error) }
    }
  })
  return (await Promise.all(turns)).toReversed()
}
