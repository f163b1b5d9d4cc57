import { systemClock } from '../clock.ts'
import { dialects } from '../dialects/registry.ts'
import { ChangeLog } from '../doors/serving/change-log.ts'
import { createRandomId } from '../random-id.ts'
import { createRehearsalUpstream } from '../rehearsal/rehearsal.ts'
import type { Exchange } from '../traces/exchange.ts'
import { Recording } from '../traces/recording/recording.ts'
import { toExchange } from '../traces/view/exchange-view.ts'
import { hideHeaders } from '../traces/view/redact.ts'
import { defaultSettings } from '../turn/settings.ts'
import { createTurns } from '../turn/turns.ts'
import { serveTurns } from './fetch/fetch.ts'
import { piecesOf } from './reading.ts'

/** What a page asks. */
interface Question {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** An answer that is being given. */
interface Rehearsed {
  /** What is recorded of it so far. */
  look(): Exchange
  /** The status it ended with. */
  readonly over: Promise<number>
}

const model = 'rehearsal'
const path = '/v1/chat/completions'
const mostLength = 1_000_000

/** The gateway without a server: the stand-in for a model, the real turn, the real door and a recording, in one page. */
export function createRehearsed(tokensPerSecond: number) {
  const upstream = createRehearsalUpstream({ name: model, tokensPerSecond })
  const turns = createTurns({
    upstreams: new Map([[model, upstream]]),
    models: [defaultSettings(model, [model])],
    newId: () => createRandomId('call_'),
  })
  const serve = serveTurns(turns)

  function ask({ body, headers, signal }: Question): Rehearsed {
    const sent = { 'content-type': 'application/json', ...headers }
    const recording = beginRecording(sent)
    const changeLog = new ChangeLog()
    async function run(): Promise<number> {
      let status = 0
      try {
        const request = new Request(`http://localhost${path}`, { method: 'POST', headers: sent, body })
        const response = await serve(request, signal, { recording, changeLog })
        status = response.status
        recording.answer(response.headers.get('content-type') ?? '')
        for await (const text of textOf(response)) recording.write(text)
        return status
      } finally {
        recording.end({
          state: signal.aborted ? 'aborted' : status < 400 ? 'done' : 'failed',
          status,
          calls: recording.gotCalls.filter(({ isComplete }) => isComplete).length,
          notes: new Set(recording.notes.map(({ kind }) => kind)),
          changes: changeLog.changes(undefined),
          totalMs: systemClock.now() - recording.beginning.at,
        })
      }
    }

    return { look: () => toExchange(recording), over: run() }
  }

  return { model, dialects: dialects.map(({ name }) => name), ask }
}

function beginRecording(headers: Readonly<Record<string, string>>): Recording {
  const beginning = {
    id: createRandomId('x'),
    requestId: createRandomId('req_'),
    at: systemClock.now(),
    client: 'playground',
    door: 'chat',
    method: 'POST',
    path,
    url: path,
    headers: hideHeaders(Object.entries(headers).flat()),
    secrets: [],
  }
  return new Recording(beginning, {
    now: systemClock.now,
    hasBodies: true,
    mostLength,
    conversationOf: () => beginning.id,
    onChange: () => undefined,
    onEnd: () => undefined,
  })
}

async function* textOf({ body }: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const bytes of piecesOf(body ?? [])) yield decoder.decode(bytes, { stream: true })
}
