import type { Change } from '../../protocol/trace/change.ts'

/** What is said about one exchange. Never what was said in it, never a key. */
export interface ExchangeRecord {
  readonly requestId: string
  readonly method: string
  readonly path: string
  /** What was answered; 499 when the client was gone before it could be. */
  readonly status: number
  readonly ms: number
  /** The name of the client's key. */
  readonly key?: string | undefined
  readonly model?: string | undefined
  readonly upstream?: string | undefined
  readonly mode?: string | undefined
  readonly dialect?: string | undefined
  /** What the answer was held to. */
  readonly constraint?: string | undefined
  readonly calls?: number | undefined
  /** From the request to the first thing the model said. */
  readonly firstByteMs?: number | undefined
  readonly promptTokens?: number | undefined
  readonly completionTokens?: number | undefined
  readonly notes?: readonly string[] | undefined
  /** All that was changed on the way, in order; only where that is wanted. */
  readonly changes?: readonly Change[] | undefined
  readonly code?: string | undefined
  /** The cause of a failure that is ours. */
  readonly cause?: unknown
}

/** A service went away or came back. */
export interface ServiceRecord {
  readonly service: string
  readonly state: 'down' | 'back'
  readonly reason?: string | undefined
  readonly remedy?: string | undefined
}

export interface Log {
  exchange(record: ExchangeRecord): void
  service?(record: ServiceRecord): void
}

/** The log of a program, which may break outside of any exchange. */
export interface ProgramLog extends Required<Log> {
  crash(cause: unknown): void
}

interface LogOptions {
  readonly write: (line: string) => void
  /** Lines for a person; else JSON. */
  readonly pretty: boolean
  readonly now: () => number
  /** Why a change of a kind is made, for people. */
  readonly sentences?: Readonly<Partial<Record<Change['kind'], string>>>
}

const secrets = /\b(?:sk|pk|hf|gh[pousr])[-_][\w-]{8,}|\bbearer +\S+|\beyJ[\w-]{10,}\.[\w.-]+/gi

function toText(cause: unknown): string | undefined {
  if (cause === undefined) return undefined
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
  return text.replace(secrets, '[hidden]').slice(0, 4096)
}

/** Control characters from a client's path or model name must not draw on the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const control = /[\u0000-\u001f\u007f-\u009f]/g

function toChangeLine({ severity, kind, detail }: Change, why: string | undefined): string {
  const words = [detail === undefined ? kind : `${kind}: ${detail}`, why].filter((word) => word !== undefined)
  return `\n         ${severity.padEnd(7)}  ${words.join('. ').replace(control, '?')}`
}

function toLine(time: string, record: ExchangeRecord, cause: string | undefined): string {
  const { method, path, key, model, upstream, mode, dialect, constraint, status, ms, calls, notes, code, firstByteMs } =
    record
  const words = [
    time.slice(11, 19),
    key,
    method,
    model ?? path,
    [mode, dialect, constraint].filter((word) => word !== undefined).join('/') || undefined,
    upstream,
    String(status),
    `${Math.round(ms)}ms`,
    firstByteMs === undefined ? undefined : `first ${Math.round(firstByteMs)}ms`,
    printTokens(record),
    calls === undefined ? undefined : `${calls} ${calls === 1 ? 'call' : 'calls'}`,
    code,
    notes === undefined || notes.length === 0 ? undefined : `(${notes.join(', ')})`,
  ]
  const line = words
    .filter((word) => word !== undefined)
    .join(' ')
    .replace(control, '?')
  return cause === undefined ? line : `${line}\n${cause}`
}

/** `1204+87 tokens`: what went in and what came out. */
function printTokens({ promptTokens, completionTokens }: ExchangeRecord): string | undefined {
  if (promptTokens === undefined || completionTokens === undefined) return undefined
  return `${promptTokens}+${completionTokens} tokens`
}

function toServiceLine(time: string, { service, state, reason, remedy }: ServiceRecord): string {
  const words = state === 'back' ? [`${service} is back.`] : [`${service} is down.`, reason, remedy]
  return [time.slice(11, 19), ...words.filter((word) => word !== undefined)].join(' ').replace(control, '?')
}

function withoutSecrets(changes: readonly Change[]): readonly Change[] {
  return changes.map((change) =>
    change.detail === undefined ? change : { ...change, detail: change.detail.replace(secrets, '[hidden]') },
  )
}

/** One line per exchange, to wherever `write` goes. */
export function createLog(options: LogOptions): ProgramLog {
  return {
    exchange(record) {
      const time = new Date(options.now()).toISOString()
      const cause = toText(record.cause)
      const changes = record.changes && withoutSecrets(record.changes)
      const notes = record.notes?.map((note) => note.replace(secrets, '[hidden]'))
      const why = ({ kind }: Change) => options.sentences?.[kind]
      if (options.pretty) {
        const line = toLine(time, { ...record, notes }, cause)
        options.write(`${line}${(changes ?? []).map((change) => toChangeLine(change, why(change))).join('')}\n`)
        return
      }
      const told = changes?.map((change) => ({ ...change, why: why(change) }))
      const isPlain = cause === undefined && told === undefined && notes === undefined
      const shown = JSON.stringify(isPlain ? record : { ...record, notes, cause, changes: told })
      options.write(`{"time":"${time}",${shown.slice(1)}\n`)
    },
    service(record) {
      const time = new Date(options.now()).toISOString()
      options.write(`${options.pretty ? toServiceLine(time, record) : JSON.stringify({ time, ...record })}\n`)
    },
    crash(thrown) {
      const time = new Date(options.now()).toISOString()
      const [code, cause] = ['internal_error', toText(thrown)]
      const line = options.pretty ? `${time.slice(11, 19)} ${code}\n${cause}` : JSON.stringify({ time, code, cause })
      options.write(`${line}\n`)
    },
  }
}

export const silentLog: Log = { exchange: () => undefined }
