import { useComputed, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { draft } from './draft.ts'
import { Inputs } from './inputs.tsx'
import { Outcome } from './outcome.tsx'
import { toTools } from './tools.ts'

type Engine = typeof import('./engine.ts')

/** Paste what a model said and watch it being read: the gateway's own engine, in the page. */
export function Reader() {
  const engine = useSignal<Engine | undefined>(undefined)
  const failure = useSignal<string | undefined>(undefined)
  useEffect(() => {
    import('./engine.ts').then(
      (loaded) => (engine.value = loaded),
      () => (failure.value = "The engine couldn't be loaded. Reload the page."),
    )
  }, [engine, failure])
  const tools = useComputed(() => {
    try {
      return { value: toTools(draft.tools.value), problem: undefined }
    } catch (error) {
      return { value: [], problem: error instanceof Error ? error.message : String(error) }
    }
  })
  return (
    <main class="reader split">
      <Inputs engine={engine.value} toolsProblem={tools.value.problem} />
      {failure.value !== undefined ? (
        <p class="pane-empty error">✕ {failure.value}</p>
      ) : engine.value === undefined ? (
        <p class="pane-empty muted">Loading the engine…</p>
      ) : (
        <Outcome engine={engine.value} tools={tools.value.value} />
      )}
    </main>
  )
}
