import { signal } from '@preact/signals'
import { focusPane, type Pane } from '../exchange/panes/panes.tsx'
import { openRow } from '../list/list.tsx'
import { current, step } from '../list/state.ts'
import { goTo, hrefs, route } from './route.ts'

export const isHelpOpen = signal(false)

/** What `c` and `e` do: the view that shows an exchange says. */
export const onExchange = signal<{ readonly copy: () => void; readonly save: () => void } | undefined>(undefined)

export const shortcuts: readonly (readonly [keys: string, what: string])[] = [
  ['j k', 'next and previous exchange'],
  ['enter', 'open it'],
  ['esc', 'close it, or leave a field'],
  ['1 2 3 4', 'widen a pane'],
  ['/', 'filter the list'],
  ['f', 'find in the panes'],
  ['c', 'copy as curl'],
  ['e', 'export'],
  ['?', 'this help'],
]

const panes: readonly Pane['key'][] = ['asked', 'sent', 'said', 'got']

const actions: Readonly<Record<string, () => void>> = {
  j: () => walk(1),
  k: () => walk(-1),
  Enter: () => openRow(current.value),
  Escape: leave,
  '/': () => focus('.filter-field'),
  f: () => focus('.find-field'),
  c: () => onExchange.value?.copy(),
  e: () => onExchange.value?.save(),
  '?': () => (isHelpOpen.value = true),
}

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement
    const isTyping = target.matches('input:not([type=range]), textarea, select')
    if (event.key === 'Escape' && isTyping) return target.blur()
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || isHelpOpen.value) return
    // On a button, Enter presses it.
    if (event.key === 'Enter' && target.matches('button, a, summary')) return
    const key =
      event.key === 'ArrowDown' && inList(target) ? 'j' : event.key === 'ArrowUp' && inList(target) ? 'k' : event.key
    const pane = panes[Number(key) - 1]
    const action = pane === undefined ? actions[key] : () => focusPane(pane)
    if (action === undefined) return
    event.preventDefault()
    action()
  })
}

function inList(target: HTMLElement): boolean {
  return target.closest('.scroller') !== null
}

/** With an exchange open, walking opens the next; else it only moves. */
function walk(by: number): void {
  if (route.value.view !== 'exchanges') return
  const isOpen = route.value.id !== undefined
  const key = step(by, isOpen)
  if (isOpen) openRow(key, true)
}

function leave(): void {
  if (route.value.view === 'exchanges' && route.value.id !== undefined) goTo(hrefs.exchanges)
}

function focus(selector: string): void {
  const field = document.querySelector<HTMLInputElement>(selector)
  field?.focus()
  field?.select()
}
