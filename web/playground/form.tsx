import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { key } from '../data/client.ts'
import type { Model } from '../data/models.ts'
import { info } from '../data/store.ts'
import { doorNames } from './doors.ts'
import { draft, message, roles, toolNames } from './draft.ts'
import { headers, isRunning, play, problem, stop } from './play.ts'
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

interface ChoiceProps {
  readonly label: string
  readonly value: Signal<string>
  readonly options: readonly string[]
  /** What stands for the empty value. */
  readonly first?: string
  readonly isDisabled?: boolean
}

function Choice({ label, value, options, first, isDisabled = false }: ChoiceProps) {
  return (
    <label class="form-row">
      <span class="form-label">{label}</span>
      <select
        class="field"
        value={value.value}
        disabled={isDisabled}
        onChange={(event) => (value.value = event.currentTarget.value)}
      >
        {first !== undefined && <option value="">{first}</option>}
        {options.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

interface AmountProps {
  readonly label: string
  readonly value: Signal<string>
  readonly most?: string
  readonly step: string
}

function Amount({ label, value, most, step }: AmountProps) {
  return (
    <label class="form-row">
      <span class="form-label">{label}</span>
      <input
        class="field"
        type="number"
        min="0"
        max={most}
        step={step}
        placeholder="default"
        value={value.value}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
    </label>
  )
}

function Settings() {
  const { mode, dialect, temperature, maxTokens, toolChoice, door } = draft
  const doors = (info.value?.doors ?? []).map(({ name }) => name).filter((name) => doorNames.includes(name))
  return (
    <div class="form-three">
      <Choice label="Mode" value={mode} options={['native', 'template', 'prompt']} first="auto" />
      <Choice
        label="Dialect"
        value={dialect}
        options={info.value?.dialects ?? []}
        first="auto"
        isDisabled={mode.value === 'native'}
      />
      {doors.length > 1 && <Choice label="API" value={door} options={doors} />}
      <Choice
        label="Tool choice"
        value={toolChoice}
        options={['none', 'required', ...toolNames()]}
        first="auto"
        isDisabled={door.value === 'ollama'}
      />
      <Amount label="Max tokens" value={maxTokens} step="1" />
      <Amount label="Temperature" value={temperature} most="2" step="0.1" />
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
      {messages.value.map(({ key: id, role, text, isRaw, callId }, i) => (
        <div class="form-message" key={id}>
          <div class="form-message-head">
            <select
              class="field role-field"
              aria-label={`Role of message ${i + 1}`}
              disabled={isRaw || callId !== undefined}
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
            {callId !== undefined && <span class="muted small clip">result of {callId}</span>}
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
