import { sha256Url } from '../bytes.ts'
import type { Clock } from '../clock.ts'
import { pause } from '../pause.ts'
import { createMemory } from '../protocol/memory/memory.ts'
import { textOf } from '../protocol/message.ts'
import type { Info, Page } from './api.ts'
import type { Summary } from './exchange.ts'
import { type AskedFor, type Beginning, Recording } from './recording/recording.ts'
import { createMemoryStore } from './store/memory.ts'
import { createSqliteStore } from './store/sqlite.ts'
import { type Bounds, matches, type Query, type Store } from './store/store.ts'
import { type ExchangeView, toSummary, toView } from './view/exchange-view.ts'

/** What is recorded, and where it is kept. */
export interface TraceSettings extends Bounds {
  readonly store: 'memory' | 'sqlite' | 'off'
  /** The file, for `sqlite`. */
  readonly file: string
  readonly bodies: boolean
}

/** Records exchanges and tells of them. */
export interface Recorder {
  /** Whether anything is recorded at the moment. */
  readonly isOn: boolean
  /** Undefined: nothing is recorded. */
  begin(beginning: Omit<Beginning, 'id' | 'at'>): Recording | undefined
  list(query: Query): Page
  between(from: number, to: number, limit: number): readonly Summary[]
  find(id: string): ExchangeView | undefined
  /** Those that are over in which something was asked or said, in any case of its letters, until the signal says stop. */
  search(text: string, limit: number, signal: AbortSignal): Promise<Page>
  /** One that is under way, to be followed. */
  underWay(id: string): Recording | undefined
  /** Calls back whenever an exchange begins or changes; gives back how to stop that. */
  watch(onChange: (recording: Recording) => void): () => void
  /** Where other processes record in the same place: gives back a function that tells what is new since it was last asked. */
  followOthers(): (() => readonly Summary[]) | undefined
  readonly recording: Info['recording']
  /** Exchanges that begin from now on go by these. Another store needs a restart, but `off` is heeded at once. */
  replace(settings: TraceSettings): void
  close(): void
}

interface RecorderOptions {
  readonly settings: TraceSettings
  readonly clock: Clock
  readonly createId: (prefix: string) => string
  readonly onTrouble?: (reason: string | undefined) => void
}

/** The most of one payload that is kept, in characters. */
export const payloadLength = 1_000_000

/** So long at a time: answers under way do not wait for a search. */
const searchSliceMs = 10

const noStore: Store = {
  bound: () => undefined,
  add: () => undefined,
  list: () => [],
  between: () => [],
  find: () => undefined,
  words: () => undefined,
  count: 0,
  close: () => undefined,
}

export function createRecorder(options: RecorderOptions): Recorder {
  const { clock, createId } = options
  let { settings } = options
  const store = createStore(options)
  const open = new Set<Recording>()
  const watchers = new Set<(recording: Recording) => void>()
  const nextId = createIds(createId)
  const conversationOf = createConversations(() => createId('conv_'))

  function onChange(recording: Recording): void {
    for (const tell of watchers) tell(recording)
  }

  const underWay = (id: string): Recording | undefined => [...open].find(({ beginning }) => beginning.id === id)

  function onEnd(recording: Recording): void {
    open.delete(recording)
    store.add(recording)
    onChange(recording)
  }

  return {
    begin(beginning) {
      const { store: where, bodies } = settings
      if (where === 'off') return undefined
      const at = clock.now()
      const options = {
        now: clock.now,
        hasBodies: bodies,
        mostLength: payloadLength,
        conversationOf,
        onChange,
        onEnd,
      }
      const recording = new Recording({ ...beginning, id: nextId(at), at }, options)
      open.add(recording)
      onChange(recording)
      return recording
    },
    list(query) {
      const begun = [...open].map((recording) => toSummary(recording))
      const found = [
        ...begun.filter((summary) => matches(summary, query)),
        ...store.list({ ...query, limit: query.limit + 1 }),
      ]
      const sorted = found.sort((a, b) => (a.id < b.id ? 1 : -1))
      return {
        exchanges: sorted.slice(0, query.limit),
        hasMore: sorted.length > query.limit,
        total: store.count + open.size,
      }
    },
    between(from, to, limit) {
      const begun = [...open].map((recording) => toSummary(recording)).filter(({ at }) => at >= from && at < to)
      return [...begun, ...store.between(from, to, limit)]
    },
    find(id) {
      const recording = underWay(id)
      return recording === undefined ? store.find(id) : toView(recording)
    },
    async search(text, limit, signal) {
      const spellings = spellingsOf(text)
      const exchanges: Summary[] = []
      let since = performance.now()
      for (const summary of store.list({ limit: settings.entries })) {
        const words = store.words(summary.id)?.toLowerCase() ?? ''
        if (spellings.some((spelling) => words.includes(spelling))) exchanges.push(summary)
        if (exchanges.length >= limit || signal.aborted) break
        if (performance.now() - since < searchSliceMs) continue
        await pause()
        since = performance.now()
      }
      return { exchanges, hasMore: exchanges.length >= limit, total: exchanges.length }
    },
    underWay,
    watch(tell) {
      watchers.add(tell)
      return () => watchers.delete(tell)
    },
    followOthers: () => store.follow?.(),
    get isOn() {
      return settings.store !== 'off'
    },
    get recording() {
      const { store: where, bodies, entries, bytes, retentionMs } = settings
      return { store: where, bodies, entries, bytes, ...(retentionMs !== undefined && { retentionMs }) }
    },
    replace(next) {
      settings = next
      store.bound(next)
    },
    close: () => store.close(),
  }
}

/** As a text may stand in what was said, and in the JSON of a body. */
function spellingsOf(text: string): readonly string[] {
  const plain = text.toLowerCase()
  return [...new Set([plain, JSON.stringify(plain).slice(1, -1)])]
}

function createStore({ settings, clock, onTrouble = () => undefined }: RecorderOptions): Store {
  const { store, file } = settings
  if (store === 'off') return noStore
  if (store === 'memory') return createMemoryStore(settings, clock.now)
  return createSqliteStore({ path: file, bounds: settings, clock, onTrouble })
}

/** Ids that cannot be guessed and sort by time: the time, a count, and chance. */
function createIds(createId: (prefix: string) => string): (at: number) => string {
  let last = 0
  let count = 0
  return (at) => {
    count = at > last ? 0 : count + 1
    last = Math.max(at, last)
    return createId(`x${last.toString(36).padStart(9, '0')}${count.toString(36).padStart(4, '0')}`)
  }
}

/** More of a message does not set it apart from others. */
const mostRead = 1024
const mostKnown = 10_000

/**
 * Which conversation an exchange belongs to: the client's own name for it where it has one, else the one that began with
 * the same words of the same client. A request without an answer in it begins a new one.
 */
function createConversations(createId: () => string): (asked: AskedFor, beginning: Beginning) => string {
  const known = createMemory<string>({ entries: mostKnown })
  return ({ requests: [request], model, conversation = '' }, { client, keyName = '' }) => {
    const isNamed = conversation !== ''
    const first = request?.messages.find(({ role }) => role !== 'system')
    const words = first === undefined ? '' : textOf(first.content)
    const said = isNamed ? conversation : [model, words.length, words.slice(0, mostRead), words.slice(-mostRead)]
    const key = sha256Url(JSON.stringify([client, keyName, said]))
    const isBegun = isNamed || request?.messages.some(({ role }) => role === 'assistant') === true
    const id = (isBegun ? known.get(key) : undefined) ?? createId()
    known.set(key, id)
    return id
  }
}
