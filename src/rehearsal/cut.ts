import { systemClock } from '../clock.ts'
import type { UpstreamEvent } from '../upstreams/upstream.ts'

/** How an answer leaves. */
export interface Delivery {
  /** Characters in one delta. Default 4. */
  readonly pieceSize?: number
  /** Deltas of 1 to 12 characters instead, the same ones for the same seed. */
  readonly cut?: { readonly seed: number }
  /** Deltas in a second; 0, the default: all at once. */
  readonly tokensPerSecond?: number
}

/** Sizes of pieces, without end. */
export function* pieceSizes(delivery: Delivery): Generator<number, never> {
  const { pieceSize = 4, cut } = delivery
  let state = cut?.seed ?? 0
  for (;;) {
    // A linear congruential generator: any cutting will do, as long as it can be had again.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield cut ? 1 + ((state >>> 16) % 12) : Math.max(1, Math.floor(pieceSize))
  }
}

/** Cuts a text into pieces; characters of two code units stay whole. */
export function* cutText(text: string, sizes: Iterator<number, never>): Generator<string> {
  let from = 0
  while (from < text.length) {
    let to = from + sizes.next().value
    if (isHighSurrogate(text.charCodeAt(to - 1)) && to < text.length) to += 1
    yield text.slice(from, to)
    from = to
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

/** Hands out events one by one, at the pace asked for. Throws the signal's reason when it aborts. */
export async function* pace(
  events: Iterable<UpstreamEvent>,
  delivery: Delivery,
  signal: AbortSignal,
): AsyncGenerator<readonly UpstreamEvent[]> {
  const { tokensPerSecond = 0 } = delivery
  const start = performance.now()
  let sent = 0
  for (const event of events) {
    signal.throwIfAborted()
    if (tokensPerSecond > 0) {
      const early = start + (sent * 1000) / tokensPerSecond - performance.now()
      if (early >= 1) await systemClock.wait(early, signal)
    }
    yield [event]
    sent += 1
  }
}
