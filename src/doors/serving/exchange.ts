import type { Clock } from '../../clock.ts'
import { GatewayError, toGatewayError } from '../../errors.ts'
import type { Event } from '../../protocol/event.ts'
import { orAborted } from '../../protocol/or-aborted.ts'
import type { TurnObserver } from '../../turn/observer.ts'
import type { Turn, TurnContext, Turns } from '../../turn/turn.ts'
import type { Exchange, StreamPrinter } from '../door.ts'
import { readTogether } from './together.ts'

/** How long the status line waits for the first event: until then a failure can still be a status of its own. */
const holdMs = 10_000

/** A response in pieces. */
export interface Outlet {
  readonly begun: boolean
  /** Sends the headers and a beat, so that proxies on the way see a living answer. Nothing, where there is no beat. */
  hold(): void
  /** Gives back what to wait for when the client reads more slowly than we write. */
  write(text: string): Promise<void> | undefined
  end(text: string): void
}

/** What a client wishes of its turn by headers, whatever the door. */
export function wishesOf(
  header: (name: string) => string | undefined,
): Pick<TurnContext, 'conversation' | 'overrides'> {
  const tools = header('x-dragoman-tools')
  if (tools !== undefined && tools !== 'native' && tools !== 'template' && tools !== 'prompt') {
    throw new GatewayError('invalid_value', "The header 'x-dragoman-tools' must be 'native', 'template' or 'prompt'.", {
      param: 'x-dragoman-tools',
    })
  }
  const dialect = header('x-dragoman-dialect')
  const conversation = header('x-conversation-id') ?? ''
  return {
    ...(conversation !== '' && { conversation }),
    overrides: { ...(tools !== undefined && { tools }), ...(dialect !== undefined && { dialect }) },
  }
}

/** Starts a turn for each answer that is wanted, each with an observer of its own where there are any. */
export async function beginTurns(
  turns: Pick<Turns, 'start'>,
  { requests }: Pick<Exchange, 'requests'>,
  context: TurnContext,
  observerOf?: (choice: number) => TurnObserver | undefined,
): Promise<readonly Turn[]> {
  const { observers = [] } = context
  const watched = (choice: number) => ({ ...context, observers: [...observers, observerOf?.(choice) ?? []].flat() })
  return await orAborted(
    Promise.all(requests.map((request, choice) => turns.start(request, watched(choice)))),
    context.signal,
  )
}

interface Telling {
  start(): Promise<readonly Turn[]>
  hear(events: readonly Event[], choice: number): void
  readonly signal: AbortSignal
}

/** The body of an answer that is told at once. */
export async function tellWhole(exchange: Exchange, { start, hear, signal }: Telling): Promise<string> {
  const turns = await start()
  const choices = turns.map((): Event[] => [])
  await readTogether(turns, signal, (events, choice) => {
    hear(events, choice)
    const all = choices[choice]
    for (const event of events) all?.push(event)
  })
  return await exchange.printBody(choices)
}

interface StreamTelling extends Telling {
  /** Before a failure is told in the stream. */
  failed(error: GatewayError): void
  readonly clock: Clock
}

/** Tells an answer as it comes. A failure before it has begun is thrown. */
export async function tellStream(
  outlet: Outlet,
  printer: StreamPrinter,
  { start, hear, failed, signal, clock }: StreamTelling,
): Promise<void> {
  const cancelHold = clock.after(holdMs, () => outlet.hold())
  let opened = false
  /** Said with the last finish: it leaves with the end, in one write. */
  let lastWords = ''
  try {
    const turns = await start()
    const promptTokens = () => turns.reduce((sum, turn) => sum + turn.promptTokens(), 0)
    let finished = 0
    await readTogether(turns, signal, (events, choice) => {
      hear(events, choice)
      if (events.at(-1)?.type === 'finish') finished += 1
      const piece = printer.push(choice, events)
      if (piece === '') return undefined
      const text = lastWords + (opened ? piece : printer.open({ promptTokens }) + piece)
      if (!opened) cancelHold()
      opened = true
      if (finished < turns.length) return outlet.write(text)
      lastWords = text
      return undefined
    })
    const ending = printer.end()
    if (typeof ending === 'string') outlet.end(lastWords + ending)
    else {
      if (lastWords !== '') void outlet.write(lastWords)
      lastWords = ''
      outlet.end(await ending)
    }
  } catch (thrown) {
    const error = toGatewayError(thrown)
    const refusal = opened ? undefined : printer.refuse?.(error)
    if (!outlet.begun && refusal === undefined) throw thrown
    failed(error)
    outlet.end(refusal ?? lastWords + printer.fail(error))
  } finally {
    cancelHold()
  }
}
