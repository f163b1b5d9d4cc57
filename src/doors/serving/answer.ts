import type { Clock } from '../../clock.ts'
import { GatewayError, toGatewayError } from '../../errors.ts'
import type { Event } from '../../protocol/event.ts'
import { orAborted } from '../../protocol/or-aborted.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { TurnObserver } from '../../turn/observer.ts'
import type { Turn, TurnContext, Turns } from '../../turn/turn.ts'
import type { Exchange, StreamPrinter } from '../door.ts'
import type { ChangeLog } from './change-log.ts'

/** How long the status line waits for the first event: until then a failure can still be a status of its own. */
const holdMs = 10_000

/** A response in pieces. */
export interface ResponseWriter {
  readonly begun: boolean
  /** Sends the headers and a beat, so that proxies on the way see a living answer. Nothing, where there is no beat. */
  hold(): void
  /** Gives back what to wait for when the client reads more slowly than we write. */
  write(text: string): Promise<void> | undefined
  end(text: string): void
}

/** What the headers of a request change about its turn, whatever the door. */
export function turnOverridesIn(
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
async function startTurns(
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

/** Records an exchange as it goes on. Changes nothing. */
export interface ExchangeRecording {
  receive(body: string | Uint8Array): void
  read(exchange: Pick<Exchange, 'model' | 'streaming' | 'requests' | 'conversation'>): void
  observer(choice: number): TurnObserver
  start(plan: Plan | undefined): void
  observe(choice: number, events: readonly Event[]): void
}

/** What an exchange is answered with, whatever carries the bytes. */
export interface Answering {
  readonly turns: Pick<Turns, 'start'>
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly changeLog: ChangeLog
  readonly recording: ExchangeRecording | undefined
  turnContext(): TurnContext
  createWriter(printer: StreamPrinter): ResponseWriter
  onStart(plan: Plan | undefined): void
  onEvents?(events: readonly Event[]): void
  /** Before a failure is printed in the stream. */
  onFailure?(error: GatewayError): void
}

/** Runs the turns of an exchange: streams its answer, or gives back the body of a whole one. */
export async function answerExchange(exchange: Exchange, answering: Answering): Promise<string | undefined> {
  if (!exchange.streaming) return await answerWhole(exchange, answering)
  const printer = exchange.createStream()
  await answerStream(exchange, printer, answering.createWriter(printer), answering)
  return undefined
}

async function start(exchange: Exchange, answering: Answering): Promise<readonly Turn[]> {
  const { conversation, streaming, reportsUsage } = exchange
  const { recording, changeLog } = answering
  const context = {
    ...(conversation !== undefined && { conversation }),
    ...answering.turnContext(),
    whole: !streaming,
    usage: reportsUsage,
  }
  const turns = await startTurns(answering.turns, exchange, context, (choice) => recording?.observer(choice))
  const [first] = turns
  changeLog.prepare(first?.preparations)
  recording?.start(first?.plan)
  answering.onStart(first?.plan)
  return turns
}

function observe(events: readonly Event[], choice: number, { recording, changeLog, onEvents }: Answering): void {
  recording?.observe(choice, events)
  changeLog.observe(events)
  onEvents?.(events)
}

async function answerWhole(exchange: Exchange, answering: Answering): Promise<string> {
  const turns = await start(exchange, answering)
  const choices = turns.map((): Event[] => [])
  await readConcurrently(turns, answering.signal, (events, choice) => {
    observe(events, choice, answering)
    const all = choices[choice]
    for (const event of events) all?.push(event)
  })
  return await exchange.printBody(choices)
}

/** A failure before the answer has begun is thrown. */
async function answerStream(
  exchange: Exchange,
  printer: StreamPrinter,
  writer: ResponseWriter,
  answering: Answering,
): Promise<void> {
  const cancelHold = answering.clock.after(holdMs, () => writer.hold())
  let opened = false
  /** Printed with the last finish: it leaves with the end, in one write. */
  let heldBack = ''
  try {
    const turns = await start(exchange, answering)
    const promptTokens = () => turns.reduce((sum, turn) => sum + turn.promptTokens(), 0)
    let finished = 0
    await readConcurrently(turns, answering.signal, (events, choice) => {
      observe(events, choice, answering)
      if (events.at(-1)?.type === 'finish') finished += 1
      const piece = printer.push(choice, events)
      if (piece === '') return undefined
      const text = heldBack + (opened ? piece : printer.open({ promptTokens }) + piece)
      if (!opened) cancelHold()
      opened = true
      if (finished < turns.length) return writer.write(text)
      heldBack = text
      return undefined
    })
    const ending = printer.end()
    if (typeof ending === 'string') writer.end(heldBack + ending)
    else {
      if (heldBack !== '') void writer.write(heldBack)
      heldBack = ''
      writer.end(await ending)
    }
  } catch (thrown) {
    const error = toGatewayError(thrown)
    const refusal = opened ? undefined : printer.refuse?.(error)
    if (!writer.begun && refusal === undefined) throw thrown
    answering.onFailure?.(error)
    writer.end(refusal ?? heldBack + printer.fail(error))
  } finally {
    cancelHold()
  }
}

/**
 * Reads several answers at once until all have ended. `onBatch` may return a promise to wait for before the next batch of
 * that answer is asked for: so back-pressure reaches the model server. Rejects with what an answer or `onBatch` threw, or at
 * once when the signal aborts, also where a service ignores it.
 */
export async function readConcurrently(
  turns: readonly Pick<Turn, 'events'>[],
  signal: AbortSignal,
  onBatch: (events: readonly Event[], choice: number) => Promise<void> | undefined | void,
): Promise<void> {
  const iterators = turns.map(({ events }) => events[Symbol.asyncIterator]())
  let isOver = false
  const readAll = async (iterator: AsyncIterator<readonly Event[]>, choice: number): Promise<void> => {
    while (!isOver) {
      const { done, value } = await iterator.next()
      if (isOver || done === true) return
      const full = onBatch(value, choice)
      if (full !== undefined) await full
    }
  }
  try {
    signal.throwIfAborted()
    await orAborted(Promise.all(iterators.map(readAll)), signal)
  } catch (thrown) {
    isOver = true
    for (const iterator of iterators) void iterator.return?.().then(undefined, () => undefined)
    throw thrown
  }
}
