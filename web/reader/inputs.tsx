import { draft } from './draft.ts'
import { toTools } from './tools.ts'

interface InputsProps {
  readonly engine: typeof import('./engine.ts') | undefined
  readonly toolsProblem: string | undefined
}

export function Inputs({ engine, toolsProblem }: InputsProps) {
  return (
    <form class="form" onSubmit={(event) => event.preventDefault()} aria-label="What to read">
      <label class="form-row grow">
        <span class="form-label">What the model said</span>
        <textarea
          class="field mono"
          spellcheck={false}
          value={draft.text.value}
          onInput={(event) => {
            draft.text.value = event.currentTarget.value
            draft.quoted.value = undefined
          }}
        />
      </label>
      <div class="form-pair">
        <label class="form-row">
          <span class="form-label">Dialect</span>
          <select
            class="field"
            value={draft.dialect.value}
            onChange={(event) => (draft.dialect.value = event.currentTarget.value)}
          >
            <option value="auto">auto</option>
            {(engine?.dialectNames ?? [draft.dialect.value]).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="form-row">
          <span class="form-label">It ended by</span>
          <select
            class="field"
            value={draft.finish.value}
            onChange={(event) => (draft.finish.value = event.currentTarget.value === 'length' ? 'length' : 'stop')}
          >
            <option value="stop">stop</option>
            <option value="length">length (cut off)</option>
          </select>
        </label>
      </div>
      <button
        type="button"
        class="button link small"
        disabled={engine === undefined || draft.dialect.value === 'auto'}
        onClick={() => {
          if (engine === undefined) return
          draft.text.value = engine.sampleFor(draft.dialect.value, toTools(draft.tools.value))
          draft.quoted.value = undefined
        }}
      >
        Show me two calls in this dialect
      </button>
      <label class="form-row tools-row">
        <span class="form-label">Tools it was offered</span>
        <textarea
          class="field mono"
          spellcheck={false}
          value={draft.tools.value}
          aria-invalid={toolsProblem !== undefined}
          onInput={(event) => (draft.tools.value = event.currentTarget.value)}
        />
        {toolsProblem !== undefined && <span class="error small">✕ {toolsProblem}</span>}
      </label>
      {draft.quoted.value !== undefined && draft.quoted.value.length > 0 && (
        <p class="muted small">
          Taken from an exchange whose request held {draft.quoted.value.length} of these calls: repeating one is not
          making it.
        </p>
      )}
    </form>
  )
}
