import { failureCodes, GatewayError, type GatewayErrorOptions } from '../../errors.ts'

/** Functions that another process may call: what goes in and comes out is plain data. */
type Calls = { readonly [Name in string]: (...given: never[]) => unknown }

/** Calls a function of the process at the other end. Rejects when that fails, with its failure's code if it had one, or ends. */
export type Call<Far extends Calls> = <Name extends keyof Far & string>(
  name: Name,
  ...given: Parameters<Far[Name]>
) => Promise<Awaited<ReturnType<Far[Name]>>>

/** `process` in a worker, a `Worker` in its supervisor. */
interface Channel {
  send?: ((message: object, callback: () => void) => unknown) | undefined
  on(event: string, listener: (message: Message) => void): unknown
}

type Message =
  | { readonly id: number; readonly name: string; readonly given: readonly never[] }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: Failure }

interface Failure extends GatewayErrorOptions {
  readonly message: string
  readonly code?: string
}

/** `near` is what the other process may call here. */
export function connect<Far extends Calls>(channel: Channel, near: Calls): Call<Far> {
  const pending = new Map<number, PromiseWithResolvers<unknown>>()
  let count = 0
  const send = (message: Message) => channel.send?.(message, () => undefined)

  async function answer({ id, name, given }: Extract<Message, { readonly name: string }>): Promise<void> {
    try {
      send({ id, value: await near[name]?.(...given) })
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown))
      send({ id, failure: { ...error, message: error.message, cause: undefined } })
    }
  }

  channel.on('message', (message: Message) => {
    if ('name' in message) return void answer(message)
    if ('failure' in message) pending.get(message.id)?.reject(toError(message.failure))
    else pending.get(message.id)?.resolve(message.value)
    pending.delete(message.id)
  })
  channel.on('disconnect', () => {
    for (const { reject } of pending.values()) reject(new Error('the other process has ended'))
    pending.clear()
  })
  return (name, ...given) => {
    const call = Promise.withResolvers<unknown>()
    count += 1
    pending.set(count, call)
    send({ id: count, name, given: given as never[] })
    return call.promise as Promise<never>
  }
}

function toError(failure: Failure): Error {
  const code = failureCodes.find((known) => known === failure.code)
  return code === undefined ? new Error(failure.message) : new GatewayError(code, failure.message, failure)
}
