import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { copy } from '../../text/copy.ts'
import { Joints } from '../calls/joints.tsx'
import { scrollAlong } from './together.ts'

export interface Pane {
  readonly key: 'asked' | 'sent' | 'said' | 'got'
  readonly title: string
  /** The title in a word, for a tab. */
  readonly short: string
  /** A few words beside the title. */
  readonly about?: ComponentChildren
  /** What copying it gives: as it was, not as it is shown. */
  readonly raw?: string | undefined
  readonly content: ComponentChildren
}

/** The pane that is wide, or the one that is shown at all where there is room for one. */
const focused = signal<Pane['key'] | undefined>(undefined)

export function focusPane(key: Pane['key'] | undefined): void {
  focused.value = focused.value === key ? undefined : key
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`#pane-${key} .pane-body`)?.focus())
}

/** Four panes side by side; on a narrow screen, tabs. */
export function Panes({ panes }: { readonly panes: readonly Pane[] }) {
  const root = useRef<HTMLDivElement>(null)
  const shown = focused.value ?? 'said'
  return (
    <div class="panes-frame">
      <div class="pane-tabs" role="tablist" aria-label="Panes">
        {panes.map(({ key, title, short }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`tab-${key}`}
            aria-selected={key === shown}
            aria-label={title}
            aria-controls={`pane-${key}`}
            onClick={() => (focused.value = key)}
          >
            {short}
          </button>
        ))}
      </div>
      <div class={`panes${focused.value === undefined ? '' : ` focus-${focused.value}`}`} ref={root}>
        {panes.map((pane, i) => (
          <PaneView key={pane.key} pane={pane} nth={i + 1} isShown={pane.key === shown} />
        ))}
        <Joints root={root} />
      </div>
    </div>
  )
}

function PaneView({ pane, nth, isShown }: { readonly pane: Pane; readonly nth: number; readonly isShown: boolean }) {
  const { key, title, short, about, raw, content } = pane
  return (
    <section class={`pane ${key}${isShown ? ' shown' : ''}`} id={`pane-${key}`} aria-labelledby={`title-${key}`}>
      <header class="pane-head">
        <h2 id={`title-${key}`}>
          <button
            type="button"
            class="pane-title"
            aria-pressed={focused.value === key}
            aria-label={title}
            title={`Widen this pane (${nth})`}
            onClick={() => focusPane(key)}
          >
            <span class="pane-title-long">{title}</span>
            <span class="pane-title-short">{short}</span>
          </button>
        </h2>
        <span class="pane-about muted small">{about}</span>
        {raw !== undefined && (
          <button
            type="button"
            class="button plain small"
            aria-label={`Copy “${title}”`}
            onClick={() => copy(raw, `“${title}”`)}
          >
            Copy
          </button>
        )}
      </header>
      <div class="pane-body" tabIndex={0} role="region" aria-label={title} onScroll={scrollAlong}>
        {content}
      </div>
    </section>
  )
}
