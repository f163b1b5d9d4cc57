import type { ContextWindow, Upstream } from '../upstreams/upstream.ts'

/** How large the contexts of models are, as far as their services tell. */
export interface Windows {
  /** Asks for those that were not asked for lately. Never rejects; late answers count once they are there. */
  ask(upstream: Upstream, models: readonly string[], signal: AbortSignal): Promise<void>
  known(upstream: string, model: string): ContextWindow | undefined
}

const knownForMs = 60_000
const maxKnown = 2_000

export function createWindows(now: () => number): Windows {
  const windows = new Map<string, { window: ContextWindow | undefined; until: number }>()

  async function askFor(upstream: Upstream, model: string): Promise<void> {
    const key = keyOf(upstream.name, model)
    const before = windows.get(key)
    if (before !== undefined && now() < before.until) return
    windows.delete(key)
    const entry = { window: before?.window, until: now() + knownForMs }
    windows.set(key, entry)
    const [oldest] = windows.keys()
    if (windows.size > maxKnown && oldest !== undefined) windows.delete(oldest)
    entry.window = await upstream.context?.(model).catch(() => undefined)
  }

  return {
    async ask(upstream, models, signal) {
      if (upstream.context === undefined) return
      const all = Promise.all(models.map((model) => askFor(upstream, model))).then(() => undefined)
      await Promise.race([all, untilAborted(signal)])
    },
    known: (upstream, model) => windows.get(keyOf(upstream, model))?.window,
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function keyOf(upstream: string, model: string): string {
  return JSON.stringify([upstream, model])
}
