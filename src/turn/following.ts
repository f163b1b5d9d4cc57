import { Flow, pullFrom, type Taker } from '../protocol/flow.ts'
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
  return { [Symbol.asyncIterator]: () => new Follow(reads[Symbol.asyncIterator](), follower) }
}

class Follow extends Flow<readonly UpstreamEvent[]> implements Taker<readonly UpstreamEvent[]> {
  readonly #rest: AsyncIterator<readonly UpstreamEvent[]>
  readonly #follower: Followed
  #isOver = false

  constructor(rest: AsyncIterator<readonly UpstreamEvent[]>, follower: Followed) {
    super()
    this.#rest = rest
    this.#follower = follower
  }

  pull(taker: Taker<readonly UpstreamEvent[]>): void {
    this.wait(taker)
    pullFrom(this.#rest, this)
  }

  take(said: readonly UpstreamEvent[] | undefined): void {
    if (said === undefined) this.#end()
    else this.#hear(said)
    this.give(said)
  }

  lose(thrown: unknown): void {
    this.#end(thrown)
    this.forget()?.lose(thrown)
  }

  protected async leave(): Promise<void> {
    this.#end()
    await this.#rest.return?.()
  }

  #hear(said: readonly UpstreamEvent[]): void {
    for (const event of said) {
      if (event.type === 'finish') this.#follower.finish(event.reason)
      else if (event.type === 'usage') this.#follower.usage(event.promptTokens, event.completionTokens)
    }
  }

  #end(thrown?: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#follower.end(thrown)
  }
}
