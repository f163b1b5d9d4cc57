import type { Socket } from 'node:net'
import { type FailureCode, GatewayError } from '../../errors.ts'

/** What one process does for another, by name. What goes in and comes out is plain data. */
export type Duties = { readonly [Name in string]: (...given: never[]) => unknown }

/** One end of the channel between two processes. */
export interface Channel {
  send(message: unknown, socket?: Socket): void
  onMessage(listener: (message: unknown, socket?: Socket) => void): void
}

/** What the other process can be asked for. */
export interface Line<Far extends Duties> {
  /** Rejects when the other one fails; a failure with a code keeps it. Never settles when the other one has died. */
  ask<Name extends keyof Far & string>(
    name: Name,
    ...given: Parameters<Far[Name]>
  ): Promise<Awaited<ReturnType<Far[Name]>>>
  /** Hands a connection over. */
  pass(socket: Socket): void
}

interface Told {
  readonly message: string
  readonly code?: FailureCode
  readonly param?: string | undefined
  readonly retryAfterSeconds?: number | undefined
}

type Message =
  | { readonly kind: 'question'; readonly id: number; readonly name: string; readonly given: readonly unknown[] }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly told: Told }
  | { readonly kind: 'connection' }

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** Asks and answers over one channel. `near` is what this process does for the other. */
export function createLine<Far extends Duties>(
  channel: Channel,
  near: Duties,
  onConnection: (socket: Socket) => void = (socket) => void socket.destroy(),
): Line<Far> {
  const waiting = new Map<number, Waiting>()
  let asked = 0

  async function answer(id: number, name: string, given: readonly unknown[]): Promise<void> {
    try {
      const duty = near[name]
      if (duty === undefined) throw new Error(`nobody does "${name}"`)
      const value = await duty(...(given as never[]))
      channel.send({ kind: 'answer', id, value } satisfies Message)
    } catch (error) {
      channel.send({ kind: 'failure', id, told: toTold(error) } satisfies Message)
    }
  }

  channel.onMessage((received, socket) => {
    const message = received as Message
    if (message.kind === 'question') void answer(message.id, message.name, message.given)
    else if (message.kind === 'connection') {
      // A client may have gone while it was passed on.
      if (socket !== undefined) onConnection(socket)
    } else {
      const question = waiting.get(message.id)
      waiting.delete(message.id)
      if (message.kind === 'answer') question?.resolve(message.value)
      else question?.reject(fromTold(message.told))
    }
  })

  return {
    ask: (name, ...given) =>
      new Promise((resolve, reject) => {
        const id = asked++
        waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
        channel.send({ kind: 'question', id, name, given } satisfies Message)
      }),
    pass: (socket) => channel.send({ kind: 'connection' } satisfies Message, socket),
  }
}

function toTold(error: unknown): Told {
  if (error instanceof GatewayError) {
    const { message, code, param, retryAfterSeconds } = error
    return { message, code, param: param ?? undefined, retryAfterSeconds }
  }
  return { message: error instanceof Error ? error.message : String(error) }
}

function fromTold({ message, code, param, retryAfterSeconds }: Told): Error {
  return code === undefined ? new Error(message) : new GatewayError(code, message, { param, retryAfterSeconds })
}
