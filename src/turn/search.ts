import type { Call } from '../protocol/call.ts'
import type { Event, Note, Usage } from '../protocol/event.ts'
import { fold } from '../protocol/fold.ts'
import { inUsualOrder } from '../protocol/message.ts'
import type { Request } from '../protocol/request.ts'
import type { Tool } from '../protocol/tool.ts'
import { addUsage } from '../protocol/usage.ts'
import type { Approach } from './plan.ts'
import { queryOf, sayFound } from './prompt/offer/find-tools.ts'
import { findTools, offerTools } from './prompt/offer/offer.ts'

type Batches = AsyncIterable<readonly Event[]>

/** So often a model may search in one turn. */
const mostRounds = 3

/**
 * An answer whose searches for tools the gateway answers itself: the model is asked again, with what was found. The client
 * sees what is said and called besides; where the model calls something else as well, that is the answer.
 */
export async function* searchTurn(
  first: Batches,
  ask: (request: Request) => Batches,
  request: Request,
  { settings, cache }: Approach,
): AsyncGenerator<readonly Event[], void> {
  const { search } = request
  if (search === undefined) return yield* first
  let asked = request
  let answer = first
  let spent: Usage | undefined
  let hasSpoken = false
  for (let round = 1; ; round++) {
    const sieve = createSieve(search, hasSpoken)
    for await (const events of answer) {
      const live = sieve.pass(events)
      if (live.length > 0) yield live
    }
    const { searches, last, calls } = sieve
    const { finish, usage, content, metadata } = fold([...sieve.said, ...last])
    if (usage !== undefined) spent = spent === undefined ? usage : addUsage(spent, usage)
    const isOver = calls > 0 || searches.length === 0 || round > mostRounds || finish === 'length'
    if (isOver) return yield last.map((event) => toLast(event, spent, calls))
    hasSpoken = sieve.hasSpoken
    const found = searches.map(({ arguments: json }) => {
      return findTools(asked, offerTools(asked, settings, cache).tools, queryOf(json), cache)
    })
    yield found.map((tools) => searchNote(tools))
    asked = {
      ...(round < mostRounds ? asked : withoutSearch(asked, search)),
      messages: [
        ...asked.messages,
        { role: 'assistant', content: inUsualOrder({ content, calls: searches, metadata }) },
        ...searches.map(({ id }, place) => ({
          role: 'tool' as const,
          callId: id,
          content: sayFound(found[place] ?? []),
          introduces: found[place]?.map(({ name }) => name) ?? [],
        })),
      ],
    }
    answer = ask(asked)
  }
}

function withoutSearch(request: Request, name: string): Request {
  const { search: _, ...rest } = request
  return { ...rest, tools: request.tools.filter((tool) => tool.name !== name) }
}

/** What was found; never what was said. */
function searchNote(found: readonly Tool[]): Note {
  const names = found.map(({ name }) => name).join(', ')
  return { type: 'note', kind: 'tools_searched', detail: `found ${names === '' ? 'nothing' : names}` }
}

/** What is left of a search that is not answered is no call. */
function toLast(event: Event, spent: Usage | undefined, calls: number): Event {
  if (event.type === 'usage' && spent !== undefined) return { type: 'usage', ...spent }
  if (event.type === 'finish' && event.reason === 'tool_calls' && calls === 0) return { ...event, reason: 'stop' }
  return event
}

interface Sieve {
  /** What the client sees of these events. */
  pass(events: readonly Event[]): readonly Event[]
  readonly searches: readonly Call[]
  /** How many other calls there are. */
  readonly calls: number
  /** What was said and what is noted, once more. */
  readonly said: readonly Event[]
  /** What comes with the end. */
  readonly last: readonly Event[]
  readonly hasSpoken: boolean
}

/** Lets everything out but searches and what comes with the end. `continues`: words go on after those of another answer. */
function createSieve(search: string, continues: boolean): Sieve {
  const open = new Map<number, Event[]>()
  const searches: Call[] = []
  const said: Event[] = []
  const last: Event[] = []
  let calls = 0
  const shown = new Map<number, number>()
  let isBreakDue = continues
  let hasSpoken = continues

  function passOne(event: Event): readonly Event[] {
    if (
      event.type === 'usage' ||
      event.type === 'finish' ||
      (event.type === 'provider-metadata' && event.index === undefined)
    ) {
      last.push(event)
      return []
    }
    if (event.type === 'call-start' && event.name === search) {
      open.set(event.index, [])
    }
    const index = 'index' in event ? event.index : undefined
    const own = index === undefined ? undefined : open.get(index)
    if (own !== undefined) {
      own.push(event)
      if (event.type === 'call-end')
        searches.push(...fold(own).calls.map((call) => ({ ...call, kind: 'function' as const })))
      return []
    }
    if (event.type === 'call-start') shown.set(event.index, calls++)
    if (event.type !== 'text-delta')
      return [index === undefined ? event : ({ ...event, index: shown.get(index) ?? index } as Event)]
    said.push(event)
    hasSpoken = true
    const text = isBreakDue ? `\n\n${event.text}` : event.text
    isBreakDue = false
    return [{ ...event, text }]
  }

  return {
    pass: (events) => events.flatMap(passOne),
    searches,
    said,
    last,
    get calls() {
      return calls
    },
    get hasSpoken() {
      return hasSpoken
    },
  }
}
