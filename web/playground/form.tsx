import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Model } from '../data/models.ts'
import { info } from '../data/store.ts'
import { draft, message, roles } from './draft.ts'
import { headers, isRunning, key, play, problem, stop } from './play.ts'
import { stage } from './stage.ts'

export function PlayForm() {
  const models = useSignal<readonly Model[]>([])
  const why = useSignal<string | undefined>(undefined)
  const needsKey = info.value?.needsKey === true
  useEffect(() => {
    if (needsKey && key.value === '') return
    stage.value?.models(headers()).then(
      (list) => {
        models.value = list
        why.value = list.length === 0 ? 'No model server offers a model yet.' : undefined
        if (draft.model.value === '') draft.model.value = list[0]?.id ?? ''
      },
      (error: unknown) => (why.value = (error as Error).message),
    )
  }, [needsKey, key.value, stage.value, models, why])
  return (
    <form
      class="form"
      aria-label="The request"
      onSubmit={(event) => {
        event.preventDefault()
        void play()
      }}
    >
      {needsKey && (
        <label class="form-row">
          <span class="form-label">API key (kept in this tab only)</span>
          <input
            class="field"
            type="password"
            autocomplete="off"
            value={key.value}
            onChange={(event) => (key.value = event.currentTarget.value)}
          />
        </label>
      )}
      <label class="form-row">
        <span class="form-label">Model</span>
        <select
          class="field"
          aria-describedby="models-missing"
          value={draft.model.value}
          onChange={(event) => (draft.model.value = event.currentTarget.value)}
        >
          {models.value.every(({ id }) => id !== draft.model.value) && (
            <option value={draft.model.value}>{draft.model.value}</option>
          )}
          {models.value.map(({ id }) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </select>
      </label>
      {why.value !== undefined && (
        <p id="models-missing" class="error small form-hint">
          ✕ {why.value}
        </p>
      )}
      <Settings />
      <Messages />
      <label class="form-row tools-row">
        <span class="form-label">Tools</span>
        <textarea
          class="field mono"
          spellcheck={false}
          value={draft.tools.value}
          onInput={(event) => (draft.tools.value = event.currentTarget.value)}
        />
      </label>
      {problem.value !== undefined && (
        <p class="form-problem" role="alert">
          ✕ {problem.value}
        </p>
      )}
      <div class="form-end">
        {isRunning.value ? (
          // Two elements: one button that turned into the other while it is clicked would send at once.
          <button key="stop" type="button" class="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <button key="send" type="submit" class="button primary">
            Send
          </button>
        )}
        <span class="muted small">{isRunning.value ? '● streaming' : stage.value?.about}</span>
      </div>
    </form>
  )
}

function Settings() {
  const { mode, dialect, temperature } = draft
  return (
    <div class="form-three">
      <label class="form-row">
        <span class="form-label">Mode</span>
        <select
          class="field"
          value={mode.value}
          onChange={({ currentTarget: { value } }) =>
            (mode.value = value === 'native' || value === 'prompt' ? value : '')
          }
        >
          <option value="">auto</option>
          <option value="native">native</option>
          <option value="prompt">prompt</option>
        </select>
      </label>
      <label class="form-row">
        <span class="form-label">Dialect</span>
        <select
          class="field"
          value={dialect.value}
          disabled={mode.value === 'native'}
          onChange={(event) => (dialect.value = event.currentTarget.value)}
        >
          <option value="">auto</option>
          {(info.value?.dialects ?? []).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="form-row">
        <span class="form-label">Temperature</span>
        <input
          class="field"
          type="number"
          min="0"
          max="2"
          step="0.1"
          placeholder="default"
          value={temperature.value}
          onInput={(event) => (temperature.value = event.currentTarget.value)}
        />
      </label>
    </div>
  )
}

function Messages() {
  const { messages } = draft
  const change = (index: number, more: object): void => {
    messages.value = messages.value.map((one, i) => (i === index ? { ...one, ...more } : one))
  }
  return (
    <fieldset class="form-messages">
      <legend class="form-label">Messages</legend>
      {messages.value.map(({ key: id, role, text, isRaw }, i) => (
        <div class="form-message" key={id}>
          <div class="form-message-head">
            <select
              class="field role-field"
              aria-label={`Role of message ${i + 1}`}
              disabled={isRaw}
              value={role}
              onChange={(event) => change(i, { role: event.currentTarget.value })}
            >
              {(roles.some((one) => one === role) ? roles : [...roles, role]).map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
            {isRaw && <span class="muted small">as JSON</span>}
            <button
              type="button"
              class="button plain small push"
              aria-label={`Remove message ${i + 1}`}
              onClick={() => (messages.value = messages.value.filter((one) => one.key !== id))}
            >
              ✕
            </button>
          </div>
          <textarea
            class={isRaw ? 'field mono' : 'field'}
            rows={Math.min(8, Math.max(2, text.split('\n').length))}
            aria-label={`Message ${i + 1}`}
            value={text}
            onInput={(event) => change(i, { text: event.currentTarget.value })}
          />
        </div>
      ))}
      <button
        type="button"
        class="button small"
        onClick={() => (messages.value = [...messages.value, message('user', '')])}
      >
        Add a message
      </button>
    </fieldset>
  )
}
