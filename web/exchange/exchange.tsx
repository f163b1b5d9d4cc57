import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import type { Attempt, Exchange } from '../../src/traces/exchange.ts'
import { hrefs } from '../app/route.ts'
import { takeUp } from '../playground/draft.ts'
import { takeText } from '../reader/draft.ts'
import { isObject, parsed } from '../text/json.ts'
import { Tree } from '../text/tree.tsx'
import { counted } from '../text/words.ts'
import { copyCurl, exportExchange } from './actions.ts'
import { shownCalls } from './calls/lit-tool.ts'
import { Facts } from './figures/facts.tsx'
import { TimeLine } from './figures/time-line.tsx'
import { UsageView } from './figures/usage.tsx'
import { ChangesView, NotesView } from './notes.tsx'
import { AskedView } from './panes/asked.tsx'
import { GotView } from './panes/got.tsx'
import { type Pane, Panes } from './panes/panes.tsx'
import { SaidView } from './panes/said.tsx'
import { SentView } from './panes/sent.tsx'
import { Toolbar } from './panes/toolbar.tsx'

/** One exchange from both sides. */
export function ExchangeView({ exchange }: { readonly exchange: Exchange }) {
  const chosen = useSignal<number | undefined>(undefined)
  const isRaw = useSignal(false)
  const nth = Math.min(chosen.value ?? Number.POSITIVE_INFINITY, exchange.attempts.length - 1)
  const attempt = exchange.attempts[nth]
  useShownCalls(exchange)
  return (
    <div class="exchange">
      <header class="exchange-head">
        <a class="button plain back" href={hrefs.exchanges} aria-label="Back to the list">
          ←
        </a>
        <Facts exchange={exchange} attempt={attempt} />
        <div class="head-end">
          <Actions exchange={exchange} attempt={attempt} isRaw={isRaw} />
          {!isRaw.value && <Toolbar shown={exchange} />}
        </div>
      </header>
      {exchange.attempts.length > 1 && <Attempts exchange={exchange} nth={nth} onChoose={(i) => (chosen.value = i)} />}
      {isRaw.value ? (
        <div class="raw mono" tabIndex={0} role="region" aria-label="The exchange as JSON">
          <Tree value={exchange} open={2} />
        </div>
      ) : (
        <>
          <Panes panes={panesOf(exchange, attempt)} />
          <Foot exchange={exchange} attempt={attempt} />
        </>
      )}
    </div>
  )
}

/** Pointing at a call lights its tool too. */
export function useShownCalls(exchange: Exchange | undefined): void {
  useLayoutEffect(() => {
    shownCalls.value = exchange?.got.calls ?? []
  }, [exchange])
}

/** The four panes of an exchange; the playground fills the same. */
export function panesOf(exchange: Exchange, attempt: Attempt | undefined): readonly Pane[] {
  const { asked, got } = exchange
  return [
    {
      key: 'asked',
      title: 'Client asked',
      short: 'Asked',
      about: asked.tools.length === 0 ? '' : counted(asked.tools.length, 'tool'),
      raw: asked.body?.text,
      content: <AskedView exchange={exchange} />,
    },
    {
      key: 'sent',
      title: 'Sent to the model',
      short: 'Sent',
      about: attempt?.sent.form,
      raw: attempt?.sent.body?.text,
      content: <SentView exchange={exchange} attempt={attempt} />,
    },
    {
      key: 'said',
      title: 'The model said',
      short: 'Said',
      about: '',
      raw: attempt?.said.text,
      content: <SaidView exchange={exchange} attempt={attempt} />,
    },
    {
      key: 'got',
      title: 'Client got',
      short: 'Got',
      about: got.calls.length === 0 ? '' : counted(got.calls.length, 'call'),
      raw: got.body?.text,
      content: <GotView exchange={exchange} />,
    },
  ]
}

/** A menu closes when the focus leaves it, and when something in it was chosen. */
function closeMenu(event: FocusEvent & { readonly currentTarget: HTMLDetailsElement }): void {
  if (!event.currentTarget.contains(event.relatedTarget as Node | null)) event.currentTarget.open = false
}

interface MenuLinkProps {
  /** Absent: there is nothing to go to. */
  readonly href: string | undefined
  readonly onClick?: () => unknown
  readonly children: string
}

function MenuLink({ href, onClick, children }: MenuLinkProps) {
  if (href === undefined)
    return (
      <button type="button" disabled>
        {children}
      </button>
    )
  return (
    <a href={href} onClick={() => void onClick?.()}>
      {children}
    </a>
  )
}

interface ActionsProps {
  readonly exchange: Exchange
  readonly attempt: Attempt | undefined
  readonly isRaw: { value: boolean }
}

function Actions({ exchange, attempt, isRaw }: ActionsProps) {
  const { asked, conversation } = exchange
  const hasText = attempt !== undefined && attempt.said.text !== ''
  const hasBody = asked.body !== undefined && isObject(parsed(asked.body.text))
  return (
    <div class="actions">
      {hasBody && (
        <a
          class="button"
          href={hrefs.replay(exchange.id)}
          title="Ask the same again, or another model, mode or dialect"
        >
          Ask again
        </a>
      )}
      <button type="button" class="button" onClick={() => copyCurl(exchange)} title="Copy the request as a command (c)">
        Copy as curl
      </button>
      <details class="menu" onFocusOut={closeMenu}>
        <summary class="button">More</summary>
        <div class="menu-items">
          <button
            type="button"
            title="Save the exchange as a file (e)"
            onClick={() => exportExchange(exchange, 'exchange')}
          >
            Export
          </button>
          <button type="button" disabled={!hasText} onClick={() => exportExchange(exchange, 'golden')}>
            Export as a golden case
          </button>
          <MenuLink href={hasText ? hrefs.reader : undefined} onClick={() => attempt && takeText(exchange, attempt)}>
            Open in the reader
          </MenuLink>
          <MenuLink href={hasBody ? hrefs.playground : undefined} onClick={() => takeUp(exchange)}>
            Open in the playground
          </MenuLink>
          <MenuLink href={conversation === undefined ? undefined : hrefs.conversation(conversation)}>
            Show the conversation
          </MenuLink>
        </div>
      </details>
      <button
        type="button"
        class="button"
        aria-pressed={isRaw.value}
        onClick={() => (isRaw.value = !isRaw.value)}
        title="The same as JSON"
      >
        Raw
      </button>
    </div>
  )
}

interface AttemptsProps {
  readonly exchange: Exchange
  readonly nth: number
  readonly onChoose: (nth: number) => void
}

function Attempts({ exchange, nth, onChoose }: AttemptsProps) {
  return (
    <div class="attempts" role="group" aria-label="Attempts">
      <span class="muted small">Asked {exchange.attempts.length} times:</span>
      {exchange.attempts.map(({ service, failure, mode }, i) => (
        <button key={i} type="button" class="button plain small" aria-pressed={i === nth} onClick={() => onChoose(i)}>
          {i + 1}. {service} {mode} {failure !== undefined && <span class="error">✕ {failure.code}</span>}
        </button>
      ))}
    </div>
  )
}

function Foot({ exchange, attempt }: { readonly exchange: Exchange; readonly attempt: Attempt | undefined }) {
  return (
    <div class="exchange-foot">
      <div class="foot-columns">
        <section aria-labelledby="notes-title">
          <TimeLine exchange={exchange} attempt={attempt} />
          <h2 id="notes-title">Notes</h2>
          <NotesView exchange={exchange} />
          <ChangesView exchange={exchange} />
        </section>
        <section aria-labelledby="usage-title">
          <h2 id="usage-title">Tokens</h2>
          <UsageView exchange={exchange} />
        </section>
      </div>
    </div>
  )
}
