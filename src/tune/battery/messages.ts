import type { JsonObject } from '../../protocol/json.ts'
import { inUsualOrder, type Message } from '../../protocol/message.ts'

interface Made {
  readonly id?: string
  readonly name: string
  readonly arguments: JsonObject
  readonly result: string
}

/** A turn of the assistant that only called, and the result of each call. */
export function exchange(...made: readonly Made[]): readonly Message[] {
  const calls = made.map(({ id, name, arguments: given }, index) => ({
    kind: 'function' as const,
    id: id ?? `call_before_${index}`,
    name,
    arguments: JSON.stringify(given),
  }))
  return [
    { role: 'assistant', content: inUsualOrder({ calls }) },
    ...made.map(
      ({ name, result }, index): Message => ({ role: 'tool', callId: calls[index]?.id ?? '', name, content: result }),
    ),
  ]
}
