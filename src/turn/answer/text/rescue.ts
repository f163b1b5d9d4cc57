import type { Dialect } from '../../../dialects/dialect.ts'
import { dialects, findDialect } from '../../../dialects/registry.ts'
import { createReader, type Reader, type ReaderOptions } from '../../../engine/reader.ts'
import { asFunction } from '../../../protocol/custom.ts'
import type { Event, FinishReason } from '../../../protocol/event.ts'
import type { Request } from '../../../protocol/request.ts'
import { callableTools } from '../../../protocol/tool.ts'
import type { Writable } from '../../../protocol/writable.ts'
import { BadGeneration, type UpstreamEvent } from '../../../upstreams/upstream.ts'
import type { TurnCache } from '../../cache.ts'
import { type Approach, dialectOf } from '../../plan.ts'
import type { ModelSettings } from '../../settings.ts'
import { joinPieces } from '../events/pieces.ts'
import { createQuotedCalls } from '../quoted/quoted.ts'
import { createInventedResults, resultHeads } from './results.ts'

/**
 * What a service that calls tools natively says, read once more: calls its parser left in the text become calls, and so does
 * what it refused to make one of. Until all was said, calls found in the text wait: native calls come first, and what only
 * repeats one of them is none.
 */
export async function* rescued(
  reads: AsyncIterable<readonly UpstreamEvent[]>,
  request: Request,
  { settings, cache }: Pick<Approach, 'settings' | 'cache'>,
  newId: () => string,
): AsyncGenerator<readonly UpstreamEvent[], void> {
  const readerFor: LeakReaders = (dialect, follows) =>
    createLeakReader(request, newId, dialect, follows, cache?.readings)
  const leaks = createLeaks(readerFor, ownDialectOf(settings), dialectOf(settings))
  let hasSpoken = false
  let saidLength = 0
  try {
    for await (const read of reads) {
      const passed = leaks.take(read)
      hasSpoken ||= passed.length > 0
      for (const event of passed) if ('text' in event) saidLength += event.text.length
      if (passed.length > 0) yield passed
      if (leaks.done) return
    }
  } catch (thrown) {
    const bad = thrown instanceof BadGeneration ? thrown : undefined
    const calls = bad === undefined ? [] : readGeneration(bad.generation, dialectOf(settings), readerFor)
    const left = hasSpoken || calls.length > 0 ? leaks.flush() : []
    if (calls.length > 0) return yield [...left, ...calls]
    // What has been said cannot be said again in another way, and who set the limit is told that it was reached.
    const isCut = bad !== undefined && mayBeCut(bad, request, saidLength)
    if (isCut && (saidLength > 0 || settings.tools === 'native')) {
      return yield [...left, { type: 'note', kind: 'call_unfinished' }, { type: 'finish', reason: 'length' }]
    }
    if (left.length > 0) yield left
    throw thrown
  }
}

/** Whether a call that came to nothing may have been cut off by the client's own limit: a token is a character at least. */
function mayBeCut({ generation }: BadGeneration, { maxTokens }: Request, saidLength: number): boolean {
  if (maxTokens === undefined) return false
  return generation === '' || generation.length + saidLength >= maxTokens
}

interface Leaks {
  take(read: readonly UpstreamEvent[]): readonly UpstreamEvent[]
  /** What was held of an answer that goes no further. Calls in it are none. */
  flush(): readonly UpstreamEvent[]
  readonly done: boolean
}

/** What the model was trained to speak, if that is known and its marks are unique. */
export function ownDialectOf(settings: ModelSettings): Dialect | undefined {
  const dialect = dialectOf(settings)
  const isKnown = settings.dialect !== 'auto' || dialect.speaks?.test(settings.model) === true
  return isKnown && (dialect.grammar.marks ?? 'own') === 'own' ? dialect : undefined
}

type LeakReaders = (dialect: Dialect | undefined, follows?: ReaderOptions['follows']) => Reader

function createLeaks(readerFor: LeakReaders, own: Dialect | undefined, spoken: Dialect): Leaks {
  const results = createInventedResults(spoken)
  let reader: Reader | undefined = readerFor(own)
  let found: Event[] = []
  let hasSpoken = false
  /** The service called a tool itself. */
  let hasCalled = false

  /** Words go on; what belongs to calls stays. */
  function sift(events: readonly Event[]): readonly UpstreamEvent[] {
    const passed: UpstreamEvent[] = []
    for (const event of events) {
      if (event.type === 'text-delta') passed.push({ type: 'text', text: event.text })
      else if (event.type === 'reasoning-delta') passed.push({ type: 'reasoning', text: event.text })
      else if (event.type === 'call-error') passed.push({ type: 'text', text: event.raw })
      else found.push(event)
    }
    hasSpoken ||= passed.some(({ type }) => type === 'text')
    return passed
  }

  function stopReading(how: FinishReason | 'died' | 'called'): readonly UpstreamEvent[] {
    const rest = [...sift(results.push(reader?.end(how) ?? [])), ...sift(results.end?.() ?? [])]
    reader = undefined
    return rest
  }

  /** The calls that wait, or the notes about none. */
  function settle(reason: FinishReason): readonly UpstreamEvent[] {
    const rest = stopReading(reason)
    const finish = found.findLast((event) => event.type === 'finish')?.reason
    const calls = toPieces(found)
    found = []
    // Which of them the service made itself is found out where its calls are put together.
    if (hasCalled) return [...rest, ...calls.map((piece) => withLeak(piece)), { type: 'finish', reason }]
    const isRescued = calls.some(({ type }) => type === 'call')
    return [
      ...rest,
      ...calls,
      ...(isRescued ? [{ type: 'note', kind: 'leak_rescued' } as const] : []),
      { type: 'finish', reason: isRescued ? (finish ?? reason) : reason },
    ]
  }

  /** Words in which nothing is found go on as they came. */
  function readText(event: Extract<UpstreamEvent, { type: 'text' }>): readonly UpstreamEvent[] {
    reader ??= readerFor(own, { hasSpoken })
    const passed = sift(results.push(reader.push(event.text)))
    if (!reader.done && !results.isCut) return passed
    leaks.done = true
    return [...passed, ...settle('stop')]
  }

  function readOne(event: UpstreamEvent): readonly UpstreamEvent[] {
    switch (event.type) {
      case 'text':
        return readText(event)
      case 'call':
        hasCalled = true
        return [...stopReading('called'), event]
      case 'finish': {
        const settled = settle(event.reason)
        const last = settled.at(-1)
        return event.assumed === true && last?.type === 'finish'
          ? [...settled.slice(0, -1), { ...last, assumed: true }]
          : settled
      }
      default:
        return [event]
    }
  }

  const leaks: Writable<Leaks> = {
    done: false,
    take(read) {
      const [only] = read
      if (read.length === 1 && only?.type === 'text' && !leaks.done) return readText(only)
      // Fast path: more of a call.
      if (reader === undefined && !leaks.done && read.every(({ type }) => type === 'call')) return read
      const passed: UpstreamEvent[] = []
      for (const piece of joinPieces(read)) if (!leaks.done) for (const event of readOne(piece)) passed.push(event)
      return passed
    },
    flush: () => stopReading('died'),
  }
  return leaks
}

function withLeak(piece: UpstreamEvent): UpstreamEvent {
  return piece.type === 'call' ? { ...piece, isLeaked: true } : piece
}

/** Only marks that are not written by accident count, unless the service itself says that this was to be a call. */
function createLeakReader(
  request: Request,
  newId: () => string,
  dialect: Dialect | undefined,
  follows: ReaderOptions['follows'],
  known: TurnCache['readings'] | undefined,
): Reader {
  const tools = callableTools(request).map(asFunction)
  return createReader({
    ...leakOptions(request, dialect, follows),
    others: dialects,
    tools,
    quoted: createQuotedCalls(request, tools, known),
    newId,
  })
}

export function leakOptions(
  { parallelCalls }: Request,
  dialect: Dialect | undefined,
  follows?: ReaderOptions['follows'],
): Pick<ReaderOptions, 'dialect' | 'unknownTools' | 'parallel' | 'startsIn' | 'follows' | 'results'> {
  // Beside native calls those of the text are counted with them.
  const parallel = follows !== undefined || (parallelCalls ?? true)
  return { dialect, unknownTools: 'text', parallel, follows, results: resultHeads(dialect) }
}

/** Completed calls as a service would have sent them. */
function toPieces(events: readonly Event[]): readonly UpstreamEvent[] {
  const open = new Map<number, { readonly id: string; readonly name: string; json: string }>()
  const pieces: UpstreamEvent[] = []
  for (const event of events) {
    if (event.type === 'call-start') open.set(event.index, { id: event.id, name: event.name, json: '' })
    if (event.type === 'note')
      pieces.push({ type: 'note', kind: event.kind, ...(event.detail !== undefined && { detail: event.detail }) })
    const call = 'index' in event && event.index !== undefined ? open.get(event.index) : undefined
    if (call === undefined) continue
    if (event.type === 'call-delta') call.json += event.json
    if (event.type === 'call-end') pieces.push({ type: 'call', index: event.index, ...call })
  }
  return pieces
}

/** The calls in the words a service refused; empty when there are none. */
function readGeneration(generation: string, spoken: Dialect, readerFor: LeakReaders): readonly UpstreamEvent[] {
  for (const dialect of [spoken, findDialect('json-bare'), findDialect('json-bare-array'), findDialect('pythonic')]) {
    if (dialect === undefined) continue
    const reader = readerFor(dialect)
    const events = [...reader.push(generation), ...reader.end('stop')]
    const pieces = toPieces(events)
    if (!pieces.some(({ type }) => type === 'call')) continue
    const words = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('')
    return [
      ...(words.trim() === '' ? [] : [{ type: 'text', text: words } as const]),
      ...pieces,
      { type: 'note', kind: 'generation_rescued', detail: dialect.name },
      { type: 'finish', reason: 'tool_calls' },
    ]
  }
  return []
}
