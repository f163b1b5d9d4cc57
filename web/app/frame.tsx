import { useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { link, tryNow } from '../data/live.ts'
import { clear, info, isPaused, summaries, togglePause } from '../data/store.ts'
import { filterFields } from '../list/filter.ts'
import { completions, isGrouped, query, toggleGrouping } from '../list/state.ts'
import { copied } from '../text/copy.ts'
import { inClock } from '../text/words.ts'
import { Help } from './help.tsx'
import { isHelpOpen } from './keys.ts'
import { isNarrow } from './room.ts'
import { hrefs, isOpen, type Route, route } from './route.ts'
import { nextTheme, theme } from './theme.ts'

const tabs: readonly (readonly [view: Route['view'], name: string, href: string])[] = [
  ['exchanges', 'Exchanges', hrefs.exchanges],
  ['playground', 'Playground', hrefs.playground],
  ['reader', 'Reader', hrefs.reader],
  ['overview', 'Overview', hrefs.overview],
]

const themeSigns = { auto: '◐', light: '○', dark: '●' } as const

export function Frame({ children }: { readonly children: ComponentChildren }) {
  const { view, id } = route.value
  const here = view === 'conversation' || view === 'replay' ? 'exchanges' : view
  return (
    <div class="frame">
      <header class="bar">
        <a class="brand" href={hrefs.exchanges}>
          <img class="brand-sign" src="./favicon.svg" alt="" /> <span class="brand-name">Dragoman</span>
        </a>
        <nav class="tabs" aria-label="Views">
          {tabs
            .filter(([name]) => isOpen(name))
            .map(([name, title, href]) => (
              <a key={name} href={href} aria-current={name === here ? 'page' : undefined}>
                {title}
              </a>
            ))}
        </nav>
        <LinkState />
        {view === 'exchanges' && !(isNarrow.value && id !== undefined) && <FilterBox />}
        <div class="bar-end">
          <button
            type="button"
            class="button plain"
            onClick={nextTheme}
            aria-label={`Colours: ${theme.value}. Change`}
            title={`Colours: ${theme.value}`}
          >
            {themeSigns[theme.value]}
          </button>
          <button
            type="button"
            class="button plain"
            onClick={() => (isHelpOpen.value = true)}
            aria-label="Keyboard and recording"
            title="Keyboard and recording (?)"
          >
            ?
          </button>
        </div>
      </header>
      <Banner />
      {children}
      <p class={`toast${copied.value === undefined ? '' : ' shown'}`} role="status">
        {copied.value}
      </p>
      <Help />
    </div>
  )
}

function LinkState() {
  const { state } = link.value
  const isOff = info.value?.recording.store === 'off'
  const [sign, words] =
    state === 'live'
      ? isOff
        ? ['○', 'not recording']
        : isPaused.value
          ? ['‖', 'paused']
          : ['●', 'live']
      : state === 'connecting'
        ? ['◌', 'connecting']
        : ['✕', 'offline']
  return (
    <span class={`link-state ${state}${isOff ? ' off' : ''}`} role="status">
      <span aria-hidden="true">{sign}</span> {words}
    </span>
  )
}

function FilterBox() {
  return (
    <div class="filter">
      <label class="filter-label">
        <span class="hidden-label">Filter the exchanges</span>
        <input
          class="field filter-field"
          type="search"
          placeholder="Filter: qwen status:5 total>2s"
          list="filter-completions"
          autocomplete="off"
          title={`Words, or fields: ${filterFields.join(', ')}. A minus turns one round.`}
          value={query.value}
          onInput={(event) => (query.value = event.currentTarget.value)}
        />
      </label>
      <datalist id="filter-completions">
        {completions.value.map((text) => (
          <option key={text} value={text} />
        ))}
      </datalist>
      <button
        type="button"
        class="button plain"
        aria-pressed={isGrouped.value}
        title="Group the exchanges into conversations"
        onClick={toggleGrouping}
      >
        Group
      </button>
      <button
        type="button"
        class="button plain"
        aria-pressed={isPaused.value}
        title="Hold the list as it is; what comes meanwhile is shown when you go on"
        onClick={togglePause}
      >
        Pause
      </button>
      <button
        type="button"
        class="button plain"
        disabled={summaries.value.length === 0}
        title="Take everything out of this list; the gateway keeps it"
        onClick={clear}
      >
        Clear
      </button>
    </div>
  )
}

/** What stands between the page and the gateway, and what to do about it. */
function Banner() {
  const now = useSignal(Date.now())
  useSignalEffect(() => {
    if (link.value.state !== 'lost') return
    const timer = setInterval(() => (now.value = Date.now()), 500)
    return () => clearInterval(timer)
  })
  const state = link.value
  if (state.state === 'lost') {
    const seconds = Math.max(0, Math.ceil((state.retryAt - now.value) / 1000))
    return (
      <div class="banner error" role="alert">
        <span>
          ✕ Lost the connection to Dragoman at {inClock(state.since)}. What you see is as it was then.{' '}
          {seconds === 0 ? 'Trying again…' : `Trying again in ${seconds} s.`}
        </span>
        <button type="button" class="button" onClick={tryNow}>
          Try now
        </button>
      </div>
    )
  }
  if (state.state === 'refused')
    return (
      <div class="banner error" role="alert">
        ✕{' '}
        {state.status === 401
          ? 'Open the address that Dragoman printed when it started: it has the token in it.'
          : state.why}
      </div>
    )
  return null
}
