import { useSignal } from '@preact/signals'
import { type ComponentType, render } from 'preact'
import { useEffect } from 'preact/hooks'
import { Exchanges } from './app/exchanges.tsx'
import { Frame } from './app/frame.tsx'
import { listenToKeys } from './app/keys.ts'
import { type Route, route } from './app/route.ts'
import { watchTheme } from './app/theme.ts'
import { follow } from './data/live.ts'
import './style/style.css'

/** A view is told what it is about, where it is about one thing. */
type View = ComponentType<{ readonly id: string }>

/** Views that most visits do without. */
const later: Readonly<Partial<Record<Route['view'], () => Promise<View>>>> = {
  conversation: () => import('./conversation/conversation.tsx').then(({ ConversationView }) => ConversationView),
  replay: () => import('./replay/view.tsx').then(({ ReplayView }) => ReplayView),
  playground: () => import('./playground/at-gateway.tsx').then(({ PlaygroundAtGateway }) => PlaygroundAtGateway),
  reader: () => import('./reader/reader.tsx').then(({ Reader }) => Reader),
  overview: () => import('./overview/overview.tsx').then(({ OverviewPage }) => OverviewPage),
}

function Later({ view, id = '' }: { readonly view: Route['view']; readonly id: string | undefined }) {
  const loaded = useSignal<{ readonly view: string; readonly View: View } | undefined>(undefined)
  const failed = useSignal(false)
  useEffect(() => {
    later[view]?.().then(
      (found) => (loaded.value = { view, View: found }),
      () => (failed.value = true),
    )
  }, [view, loaded, failed])
  if (failed.value) return <p class="loading error">✕ This part of the page couldn't be loaded. Reload it.</p>
  if (loaded.value?.view !== view) return <p class="loading muted">Loading…</p>
  const { View: Found } = loaded.value
  return <Found id={id} />
}

function App() {
  const { view, id } = route.value
  return <Frame>{view === 'exchanges' ? <Exchanges id={id} /> : <Later view={view} id={id} />}</Frame>
}

// A token in the address has done its work and should not be copied along with it.
if (location.search !== '') history.replaceState(null, '', location.pathname + location.hash)
watchTheme()
listenToKeys()
void follow(new AbortController().signal)
const root = document.querySelector('#app')
if (root !== null) render(<App />, root)
