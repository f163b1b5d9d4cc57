import type { GatewayError } from '../errors.ts'
import type { Event } from '../protocol/event.ts'
import type { Request } from '../protocol/request.ts'

/** What the server knows about one exchange and a door needs to answer it. */
interface ExchangeContext {
  /** Makes an unguessable id with this prefix. */
  readonly createId: (prefix: string) => string
  /** When the exchange began, in seconds since 1970. */
  readonly created: number
  readonly userAgent: string
  readonly limits: { readonly tools: number }
}

/** One request as a door read it: what to ask for, and how to say what comes back. Pure but for the id it was given. */
export interface Exchange {
  readonly model: string
  readonly streaming: boolean
  /** The answer says how many tokens it took. */
  readonly tellsUsage: boolean
  /** One request per answer the client wants. */
  readonly requests: readonly Request[]
  createStream(): StreamPrinter
  /** The whole answer as one body; each choice is all its events. */
  printBody(choices: readonly (readonly Event[])[]): string
}

/** Prints server-sent events. Every piece is ready for the wire; an empty string is nothing to send. */
export interface StreamPrinter {
  open(): string
  push(choice: number, events: readonly Event[]): string
  /** After the last event of every choice. Throws when a choice never finished. */
  end(): string
  fail(error: GatewayError): string
}

/** One public wire protocol. */
export interface Door {
  /** Throws the GatewayError that names the field at fault. */
  read(body: unknown, context: ExchangeContext): Exchange
  printError(error: GatewayError): string
}
