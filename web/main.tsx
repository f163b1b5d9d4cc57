import { useSignal } from '@preact/signals'
import { type ComponentType, render } from 'preact'
import { useEffect } from 'preact/hooks'
import { Exchanges } from './app/exchanges.tsx'
import { Frame } from './app/frame.tsx'
import { listenToKeys } from './app/keys.ts'
import { type Route, route } from './app/route.ts'
import { watchTheme } from './app/theme.ts'
import { ConversationView } from './conversation/conversation.tsx'
import { follow } from './data/live.ts'
import './style/style.css'

/** Views that most visits do without. */
const later: Readonly<Partial<Record<Route['view'], () => Promise<ComponentType>>>> = {
  playground: () => import('./playground/at-gateway.tsx').then(({ PlaygroundAtGateway }) => PlaygroundAtGateway),
  reader: () => import('./reader/reader.tsx').then(({ Reader }) => Reader),
  overview: () => import('./overview/overview.tsx').then(({ OverviewPage }) => OverviewPage),
}

function Later({ view }: { readonly view: Route['view'] }) {
  const loaded = useSignal<{ readonly view: string; readonly View: ComponentType } | undefined>(undefined)
  const failed = useSignal(false)
  useEffect(() => {
    later[view]?.().then(
      (View) => (loaded.value = { view, View }),
      () => (failed.value = true),
    )
  }, [view, loaded, failed])
  if (failed.value) return <p class="loading error">✕ This part of the page couldn't be loaded. Reload it.</p>
  if (loaded.value?.view !== view) return <p class="loading muted">Loading…</p>
  const { View } = loaded.value
  return <View />
}

function App() {
  const { view, id } = route.value
  return (
    <Frame>
      {view === 'exchanges' ? (
        <Exchanges id={id} />
      ) : view === 'conversation' ? (
        <ConversationView id={id ?? ''} />
      ) : (
        <Later view={view} />
      )}
    </Frame>
  )
}

// A token in the address has done its work and should not be copied along with it.
if (location.search !== '') history.replaceState(null, '', location.pathname + location.hash)
watchTheme()
listenToKeys()
void follow(new AbortController().signal)
const root = document.querySelector('#app')
if (root !== null) render(<App />, root)
