import type { NoteKind } from '../../protocol/note.ts'
import type { Change } from '../../protocol/trace/change.ts'
import { changeSentences } from '../../protocol/trace/sentences.ts'
import type { RequestContext } from '../request-context.ts'

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
  /** Their kinds, some with details: `schema_violation;path="read: lines"`. */
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

const margin = `\n${' '.repeat(9)}`

/** Said of every answer to taught tools, and its figures are not in the note. */
const routine = 'usage_split'

/** What a note means, and its code to look it up by. */
function toNoteLine(note: string): string {
  const [kind = ''] = note.split(';', 1)
  const sentence: string | undefined = changeSentences[kind as NoteKind]
  return `${margin}${(sentence === undefined ? note : `${sentence} (${note})`).replace(control, '?')}`
}

function toChangeLine({ severity, kind, detail }: Change): string {
  const words = [detail === undefined ? kind : `${kind}: ${detail}`, changeSentences[kind]].filter(
    (word) => word !== undefined,
  )
  return `${margin}${severity.padEnd(7)}  ${words.join('. ').replace(control, '?')}`
}

function toLine(time: string, record: ExchangeRecord): string {
  const { method, path, key, model, upstream, mode, dialect, constraint, status, ms, calls, code, firstByteMs } = record
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
  ]
  return words
    .filter((word) => word !== undefined)
    .join(' ')
    .replace(control, '?')
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
      if (options.pretty) {
        // All changes are told with their notes among them.
        const below = changes?.map(toChangeLine) ?? notes?.filter((note) => note !== routine).map(toNoteLine) ?? []
        options.write(`${toLine(time, record)}${below.join('')}${cause === undefined ? '' : `\n${cause}`}\n`)
        return
      }
      const told = changes?.map((change) => ({ ...change, why: changeSentences[change.kind] }))
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

interface Ending {
  readonly status: number
  readonly ms: number
  readonly firstByteMs: number | undefined
}

/** What the log says of a request that is over; with `isDebug`, all that was changed on the way. */
export function toLogLine(
  context: RequestContext,
  { status, ms, firstByteMs }: Ending,
  isDebug: boolean,
): ExchangeRecord {
  const { requestId, path, model, plan, calls, notes, changeLog, error } = context
  return {
    requestId,
    method: context.request.method ?? '',
    path,
    status,
    ms,
    key: context.key?.name,
    model,
    upstream: plan?.upstream,
    mode: plan?.mode,
    dialect: plan?.dialect,
    constraint: plan?.constraint,
    calls,
    firstByteMs,
    promptTokens: context.promptTokens,
    completionTokens: context.completionTokens,
    notes: notes.size === 0 ? undefined : [...notes].map((kind) => changeLog.print(kind)),
    changes: isDebug ? [...ignoredBy(context), ...changeLog.changes(error)] : undefined,
    code: error?.code,
    cause: error?.code === 'internal_error' ? error.cause : undefined,
  }
}

function ignoredBy({ door, request }: RequestContext): readonly Change[] {
  return (door?.ignores ?? []).flatMap((name) => {
    const value = request.headers[name]
    return value === undefined
      ? []
      : [{ severity: 'info', kind: 'header_ignored', detail: `${name}: ${String(value)}` }]
  })
}
