import { useEffect } from 'preact/hooks'
import { createOpened, type Opened } from '../data/exchange.ts'
import { link } from '../data/live.ts'
import { clearedTo, info, isLoaded, known, summaries } from '../data/store.ts'
import { copyCurl, exportExchange } from '../exchange/actions.ts'
import { ExchangeView } from '../exchange/exchange.tsx'
import { List } from '../list/list.tsx'
import { matching, query } from '../list/state.ts'
import { Cleared, Empty, NoMatch, RecordingOff } from './empty.tsx'
import { onExchange } from './keys.ts'
import { isNarrow } from './room.ts'
import { hrefs } from './route.ts'

const { opened, open, close } = createOpened()

/** The list, and beside it the exchange that is open. */
export function Exchanges({ id }: { readonly id: string | undefined }) {
  const isOver = known.value.find((one) => one.id === id)?.state !== 'open'
  useEffect(() => {
    if (id === undefined) return close()
    const now = opened.peek()
    if (now?.id !== id || now.state !== 'here' || now.exchange.state === 'open') void open(id)
  }, [id, isOver, link.value.state === 'live'])
  return (
    <main class={`exchanges${id === undefined ? '' : ' with-detail'}`}>
      <ListSide id={id} />
      {id !== undefined && <Detail opened={opened.value} />}
    </main>
  )
}

function ListSide({ id }: { readonly id: string | undefined }) {
  if (!isLoaded.value) return <Loading />
  if (summaries.value.length === 0 && clearedTo.value !== '') return <Cleared />
  if (summaries.value.length === 0) return info.value?.recording.store === 'off' ? <RecordingOff /> : <Empty />
  if (matching.value.length === 0) return <NoMatch query={query.value} onClear={() => (query.value = '')} />
  return <List isWide={id === undefined && !isNarrow.value} openId={id} />
}

function Loading() {
  if (link.value.state === 'connecting' || link.value.state === 'live')
    return <p class="loading muted">Reading the exchanges…</p>
  return (
    <div class="empty">
      <h1>Not connected</h1>
      <p>There is nothing to show until Dragoman answers.</p>
    </div>
  )
}

function Detail({ opened: now }: { readonly opened: Opened | undefined }) {
  const exchange = now?.state === 'here' ? now.exchange : undefined
  useEffect(() => {
    onExchange.value =
      exchange === undefined
        ? undefined
        : { copy: () => void copyCurl(exchange), save: () => void exportExchange(exchange, 'exchange') }
    return () => {
      onExchange.value = undefined
    }
  }, [exchange])
  if (now === undefined || now.state === 'loading') return <p class="loading muted">Reading the exchange…</p>
  if (now.state === 'failed')
    return (
      <div class="empty">
        <h1>This exchange can't be shown</h1>
        <p>{now.why}</p>
        <p class="muted">Old exchanges make room for new ones. An export keeps one for good.</p>
        <a class="button" href={hrefs.exchanges}>
          Back to the list
        </a>
      </div>
    )
  return <ExchangeView key={now.id} exchange={now.exchange} />
}
