import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { readModels } from '../data/models.ts'
import { clearedTo, info } from '../data/store.ts'
import { hintFor } from '../list/filter.ts'
import { isSearching } from '../list/search.ts'
import { copy } from '../text/copy.ts'

/** What to do first. */
export function Empty() {
  const { origin } = location
  const model = useSignal('MODEL')
  const needsKey = info.value?.needsKey === true
  useEffect(() => {
    if (needsKey) return
    readModels().then(
      ([first]) => (model.value = first?.id ?? 'MODEL'),
      () => undefined,
    )
  }, [needsKey, model])
  const command = `curl ${origin}/v1/chat/completions \\
  -H 'content-type: application/json' \\${needsKey ? "\n  -H 'authorization: Bearer YOUR_KEY' \\" : ''}
  -d '{"model": ${inShell(model.value)}, "stream": true,
       "messages": [{"role": "user", "content": "What is in README.md?"}],
       "tools": [{"type": "function", "function": {"name": "read_file",
         "parameters": {"type": "object",
           "properties": {"path": {"type": "string"}}}}}]}'`
  return (
    <div class="empty">
      <h1>Nothing has been asked yet</h1>
      <p>The first request shows up here while it is being answered. Three ways to send one:</p>
      <ol class="first-steps">
        <li>
          <strong>Here:</strong> press Send in the <a href="#/playground">playground</a>.
        </li>
        <li>
          <strong>From your agent:</strong> set its base URL to <code>{origin}/v1</code>, or to <code>{origin}</code> if
          it speaks Anthropic's or Ollama's API. Any model of <code>{origin}/v1/models</code> will do.
        </li>
        <li>
          <strong>From a terminal:</strong>
          <div class="command">
            <pre>{command}</pre>
            <button type="button" class="button" onClick={() => copy(command, 'the command')}>
              Copy
            </button>
          </div>
        </li>
      </ol>
    </div>
  )
}

/** A JSON string between the single quotes of a command. */
function inShell(text: string): string {
  return JSON.stringify(text).replaceAll("'", "'\\''")
}

export function RecordingOff() {
  return (
    <div class="empty">
      <h1>Recording is off</h1>
      <p>
        The gateway answers as ever, but keeps nothing to show here. To switch it on, set <code>traces: memory</code> in
        the config file, or take <code>traces: off</code> out.
      </p>
      <p class="muted">
        The <a href="#/reader">reader</a> works without it.
      </p>
    </div>
  )
}

export function Cleared() {
  return (
    <div class="empty">
      <h1>The list is cleared</h1>
      <p>New exchanges show up here. The earlier ones are still kept.</p>
      <button type="button" class="button" onClick={() => (clearedTo.value = '')}>
        Show them again
      </button>
    </div>
  )
}

export function NoMatch({ query, onClear }: { readonly query: string; readonly onClear: () => void }) {
  const hint = hintFor(query)
  return (
    <div class="empty">
      <h1>{isSearching.value ? 'Searching…' : 'Nothing matches'}</h1>
      <p>
        No exchange matches <code>{query}</code>.
      </p>
      {hint !== undefined && <p>{hint}</p>}
      <button type="button" class="button" onClick={onClear}>
        Clear the filter
      </button>
    </div>
  )
}
