import type { Clock } from '../../clock.ts'
import type { Info } from '../../traces/api.ts'
import type { Recorder } from '../../traces/recorder.ts'
import type { OwnRoute, Visit } from '../visit.ts'
import { createInspector } from './inspector.ts'
import { beginRecording } from './record.ts'
import type { Token } from './token.ts'

/** What a gateway records, and whom it shows it. */
export interface TraceOptions {
  readonly recorder: Recorder
  /** Opens the inspector at `/inspector`; without it, or without its page, there is none. */
  readonly token?: Token
  /** What `x-dragoman-dialect` may say, for people. */
  readonly dialects?: readonly string[]
  /** Where the built page is. */
  readonly folder?: string
}

interface Surroundings {
  readonly clock: Clock
  readonly needsToken: () => boolean
  readonly secrets: () => readonly string[]
  readonly info: () => Pick<Info, 'version' | 'doors' | 'needsKey'>
  readonly onInspect: (visit: Visit) => void
}

interface Tracing {
  /** Begins to record what is asked at a door. */
  record(visit: Visit): void
  readonly routes: readonly OwnRoute[]
  close(): void
}

const nothing: Tracing = { record: () => undefined, routes: [], close: () => undefined }

export function createTracing(options: TraceOptions | undefined, around: Surroundings): Tracing {
  if (options === undefined) return nothing
  const { recorder, token, dialects = [], folder } = options
  const record = (visit: Visit): void => {
    if (recorder.isOn) beginRecording(visit, recorder, around.secrets())
  }
  if (token === undefined || folder === undefined) return { ...nothing, record }
  const { clock, needsToken, info, onInspect } = around
  const inspector = createInspector({
    recorder,
    clock,
    token,
    needsToken,
    info: () => ({ ...info(), dialects }),
    folder,
  })
  const run: OwnRoute['run'] = (visit, arrival) => {
    onInspect(visit)
    inspector.respond(visit, arrival)
  }
  const routes = ['/inspector', '/inspector/'].map((path) => ({ method: 'GET', path, run }) as const)
  return { record, routes, close: inspector.close }
}
