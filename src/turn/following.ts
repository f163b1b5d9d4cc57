import { createFlow, type Flow, type LoseBatch, pullFrom, type TakeBatch } from '../protocol/flow.ts'
import type { Request } from '../protocol/request.ts'
import type { UpstreamEvent } from '../upstreams/upstream.ts'

/** Follows every service that is asked, for traces that go through several programs. */
export interface Following {
  ask(upstream: string, request: Request): Followed
}

/** One service asked once. */
export interface Followed {
  /** What tells the service which trace its work belongs to. */
  readonly headers: Readonly<Record<string, string>>
  finish(reason: string): void
  usage(promptTokens: number, completionTokens: number): void
  /** Once, with what was thrown if it failed. */
  end(thrown?: unknown): void
}

type Reads = AsyncIterable<readonly UpstreamEvent[]>

/** The same answer, and whoever follows it knows. Not a generator: every read of an answer goes through it. */
export function followed(reads: Reads, follower: Followed): Reads {
  return { [Symbol.asyncIterator]: () => follow(reads[Symbol.asyncIterator](), follower) }
}

function follow(rest: AsyncIterator<readonly UpstreamEvent[]>, follower: Followed): Flow<readonly UpstreamEvent[]> {
  let isOver = false

  function end(thrown?: unknown): void {
    if (isOver) return
    isOver = true
    follower.end(thrown)
  }

  function hear(said: readonly UpstreamEvent[] | undefined): void {
    if (said === undefined) return end()
    for (const event of said) {
      if (event.type === 'finish') follower.finish(event.reason)
      else if (event.type === 'usage') follower.usage(event.promptTokens, event.completionTokens)
    }
  }

  function pull(take: TakeBatch<readonly UpstreamEvent[]>, lose: LoseBatch): void {
    pullFrom(
      rest,
      (said) => {
        hear(said)
        take(said)
      },
      (thrown) => {
        end(thrown)
        lose(thrown)
      },
    )
  }

  return createFlow(pull, async () => {
    end()
    await rest.return?.()
  })
}
