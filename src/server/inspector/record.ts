import type { GatewayError } from '../../errors.ts'
import type { Recorder } from '../../traces/recorder.ts'
import { readClientName } from '../../traces/recording/client-name.ts'
import { hideHeaders, hidePath } from '../../traces/telling/redact.ts'
import { keysIn } from '../access/auth.ts'
import type { Visit } from '../visit.ts'

/** Begins to record what a visitor asks at a door, where anything is recorded. */
export function beginRecording(visit: Visit, recorder: Recorder, secrets: readonly string[]): void {
  const { request, requestId, path, key, door } = visit
  const { headers, rawHeaders, method = '', url = path } = request
  visit.recording = recorder.begin({
    requestId,
    client: readClientName(headers['user-agent']),
    ...(key !== undefined && { keyName: key.name }),
    door: door?.name ?? '',
    method,
    path,
    url: hidePath(url),
    headers: hideHeaders(rawHeaders),
    secrets: [...secrets, ...keysIn(headers)],
  })
}

interface Ending {
  readonly status: number
  readonly ms: number
  readonly firstByteMs: number | undefined
  readonly isGone: boolean
}

export function endRecording(visit: Visit, { status, ms, firstByteMs, isGone }: Ending): void {
  const { recording, error, calls = 0, notes, trail } = visit
  recording?.end({
    state: stateOf(isGone, status, error),
    status,
    error,
    calls,
    notes,
    changes: trail.changes(error),
    firstByteMs,
    totalMs: ms,
  })
}

function stateOf(isGone: boolean, status: number, error: GatewayError | undefined): 'done' | 'failed' | 'aborted' {
  if (isGone) return 'aborted'
  return error !== undefined || status >= 400 ? 'failed' : 'done'
}
