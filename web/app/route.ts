import { computed, signal } from '@preact/signals'
import { info } from '../data/store.ts'

/** Where in the page one is: `#/exchanges/abc`, `#/conversations/x`, `#/playground`, … */
export interface Route {
  readonly view: 'exchanges' | 'conversation' | 'replay' | 'playground' | 'reader' | 'overview'
  readonly id?: string
}

const views: Readonly<Record<string, Route['view']>> = {
  exchanges: 'exchanges',
  conversations: 'conversation',
  replay: 'replay',
  playground: 'playground',
  reader: 'reader',
  overview: 'overview',
}

const address = signal(location.hash)
addEventListener('hashchange', () => (address.value = location.hash))

/** Views without anything that was asked or said. */
const openToKeys: ReadonlySet<Route['view']> = new Set(['overview', 'reader'])

/** Whether a view may be shown to who looks. */
export const isOpen = (view: Route['view']): boolean => info.value?.access !== 'usage' || openToKeys.has(view)

export const route = computed<Route>(() => {
  const [name = '', id] = address.value.replace(/^#\/?/, '').split('/').map(decode)
  const view = views[name] ?? 'exchanges'
  if (!isOpen(view)) return { view: 'overview' }
  if (id !== undefined && id !== '') return { view, id }
  return { view: view === 'conversation' || view === 'replay' ? 'exchanges' : view }
})

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export const hrefs = {
  exchanges: '#/exchanges',
  exchange: (id: string) => `#/exchanges/${encodeURIComponent(id)}`,
  conversation: (id: string) => `#/conversations/${encodeURIComponent(id)}`,
  replay: (id: string) => `#/replay/${encodeURIComponent(id)}`,
  playground: '#/playground',
  reader: '#/reader',
  overview: '#/overview',
}

/** Rows one walks through with the keyboard are no history. */
export function goTo(href: string, isStep = false): void {
  if (!isStep) {
    location.hash = href
    return
  }
  history.replaceState(null, '', href)
  address.value = href
}
