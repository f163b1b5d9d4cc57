import type { GatewayError } from '../errors.ts'
import type { EmbeddingRequest, Embeddings } from '../protocol/embedding.ts'
import type { Event } from '../protocol/event.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Request } from '../protocol/request.ts'
import type { ModelCard } from '../turn/turn.ts'

/** One public wire protocol: where it is reached, how it reads requests, and how it answers them. */
export interface Door {
  /** As the configuration calls it. */
  readonly name: string
  /** Whose clients come here, and what they append their paths to: `OpenAI`, `/v1`. For people. */
  readonly clients?: { readonly of: string; readonly base: string }
  readonly routes: readonly Route[]
  /** Headers of its clients that change nothing here; `log: debug` tells of them. */
  readonly ignores?: readonly string[]
  /** Whether a path is this door's although no route of it serves it: what is wrong there is said its way, too. */
  owns(path: string): boolean
  printError(error: GatewayError, requestId: string): Reply
  /** What every other answer of this door says in its head, beside what all doors say. */
  headers?(requestId: string): Readonly<Record<string, string>>
}

/**
 * A path of a door. One that begins with `/v1/` is served without that, too: a forgotten `/v1` is the commonest mistake in
 * a base URL. One that ends in a slash is the beginning of paths; what follows it is handed on.
 */
export type Route = Place & (Exchanging | Answering)

interface Place {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /** The JSON Schema of what it takes, for `/openapi.json`; absent: any object where it asks models. */
  readonly body?: JsonObject
  /** What its streams are, for `/openapi.json`, if not events. */
  readonly streamType?: string
  /** Where several doors share a path, one whose route wants the request gets it, else the first that does not choose. */
  wants?(context: Pick<DoorContext, 'header' | 'rest'>): boolean
}

/** Asks models, and says what they say. */
interface Exchanging {
  /** Throws the GatewayError that names the field at fault. */
  read(body: unknown, context: DoorContext): Exchange | Promise<Exchange>
}

/** Answers by itself. */
interface Answering {
  answer(context: DoorContext): Reply | Promise<Reply>
  /** Where clients may turn the request into a WebSocket: what travels on that. `answer` is for those without sockets. */
  readonly socket?: SocketProtocol
}

/** Each message of a WebSocket is a request to a route of its door, and each event of that answer's stream is a message. */
export interface SocketProtocol {
  /** Throws the GatewayError that says what is wrong with a message. */
  read(message: string): SocketRequest
  /** An answer that is no stream, as a message: what HTTP would have told by its status. */
  printFailure(failure: Reply, lane: string): string
}

export interface SocketRequest {
  readonly path: string
  readonly body: string
  /** Answers are told one at a time in each lane of a connection. */
  readonly lane: string
  /** An event of the answer's stream, by its data. */
  print(data: string): string
}

/** An answer as it stands. */
export interface Reply {
  readonly status: number
  readonly body: string
  /** JSON, where nothing else is said. */
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
}

export function reply(body: string, status = 200): Reply {
  return { status, body }
}

/** What the server knows about one request, and does for a door. */
export interface DoorContext {
  /** What follows the path of the route. */
  readonly rest: string
  header(name: string): string | undefined
  /** A parameter of the address, the first of that name. */
  query(name: string): string | undefined
  /** The JSON of the request, within the limits; undefined where it has no body. Throws what is wrong with it. */
  body(): Promise<unknown>
  /** Makes an unguessable id with this prefix. */
  readonly createId: (prefix: string) => string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** When the gateway was started, likewise. */
  readonly started: number
  readonly limits: { readonly tools: number }
  models(): Promise<readonly ModelCard[]>
  /** One model by any of its names, with what its service tells of it. Throws where there is none. */
  model(name: string): Promise<ModelCard>
  /** The tokens of a request's prompt, taught tools included: counted where the service counts, else estimated. */
  countTokens(request: Request): Promise<number>
  /** The vectors of texts. Throws where no service of the model has any. */
  embed(request: EmbeddingRequest): Promise<Embeddings>
  /** What is kept between the requests of this client, for a while. */
  readonly store: Store
  /** What is kept for as long as a connection lasts, where requests come over a WebSocket. */
  readonly memory?: Store | undefined
}

/** Keeps texts by key, for one client. What it cannot keep it forgets: reading gives nothing, and nothing throws. */
export interface Store {
  get(key: string): Promise<string | undefined>
  set(key: string, text: string): Promise<void>
  delete(key: string): Promise<void>
}

/** One request as a door read it: what to ask for, and how to say what comes back. */
export interface Exchange {
  readonly model: string
  readonly streaming: boolean
  /** The client is told how many tokens it took. */
  readonly reportsUsage: boolean
  /** One request per answer the client wants. */
  readonly requests: readonly Request[]
  /** The client's own name for the conversation, where its protocol has one. */
  readonly conversation?: string
  createStream(): StreamPrinter
  /** The whole answer as one body; each choice is all its events. */
  printBody(choices: readonly (readonly Event[])[]): string | Promise<string>
}

/** Prints an answer as it comes. Every piece is ready for the wire; an empty string is nothing to send. */
export interface StreamPrinter {
  readonly contentType: string
  /** Keeps the connection alive while nothing is said. None: the protocol has nothing that clients ignore. */
  readonly beat?: string
  /** Before the first piece. */
  open(facts: StreamFacts): string
  push(choice: number, events: readonly Event[]): string
  /** After the last event of every choice. Throws when a choice never finished. */
  end(): string | Promise<string>
  /** A failure after the first byte. */
  fail(error: GatewayError): string
  /** A failure before it, where the protocol wants that inside a stream; undefined where it is a status as ever. */
  refuse?(error: GatewayError): string | undefined
}

/** What is known when an answer begins. */
export interface StreamFacts {
  /** An estimate of the prompt's tokens. */
  readonly promptTokens: () => number
}

export const eventStream = 'text/event-stream; charset=utf-8'
/** A comment: every client of server-sent events ignores it, which is true of no other event. */
export const comment = ': ping\n\n'

/** The models there are, the one that is asked for with what its service says of it now. Throws where there is none such. */
export async function cardsFor({ rest, models, model }: DoorContext): Promise<readonly ModelCard[]> {
  const cards = await models()
  const listed = cards.find(({ id }) => id === rest)
  if (listed === undefined) return [...cards, { ...(await model(rest)), id: rest }]
  const asked = await model(rest).catch(() => ({}))
  return cards.map((card) => (card === listed ? { ...listed, ...asked, id: rest } : card))
}
