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

/** The same answer, and `follower` is told of it. */
export async function* followed(
  reads: AsyncIterable<readonly UpstreamEvent[]>,
  follower: Followed,
): AsyncGenerator<readonly UpstreamEvent[], void> {
  let failure: unknown
  try {
    for await (const said of reads) {
      for (const event of said) {
        if (event.type === 'finish') follower.finish(event.reason)
        else if (event.type === 'usage') follower.usage(event.promptTokens, event.completionTokens)
      }
      yield said
    }
  } catch (thrown) {
    failure = thrown
    throw thrown
  } finally {
    follower.end(failure)
  }
}
