import { systemClock } from '../../clock.ts'
import type { Config } from '../../config/load.ts'
import { ConfigError } from '../../config/problems.ts'
import type { TraceSettings } from '../../config/traces.ts'
import { type Address, isLoopback } from '../../config/values/address.ts'
import { createRandomId } from '../../random-id.ts'
import type { Log } from '../../server/telemetry/log.ts'
import { createRecorder, type Recorder } from '../../traces/recorder.ts'
import { originOf, type Shared } from './service.ts'

/** What traces that cannot be written mean. */
const notRecorded = 'Exchanges are not recorded until that is put right. Requests are answered all the same.'

export function recorderFor(settings: TraceSettings, log: Log): Recorder {
  try {
    return createRecorder({
      settings,
      clock: systemClock,
      createId: createRandomId,
      onTrouble: (reason) =>
        log.service?.({
          service: 'traces',
          state: reason === undefined ? 'back' : 'down',
          reason,
          remedy: notRecorded,
        }),
    })
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    const message = `${settings.file} cannot be used (${reason}). Name another file, or write \`traces: memory\``
    throw new ConfigError([{ path: ['traces', 'file'], message }])
  }
}

/** Where the inspector is, for people; undefined where it is off. */
export function inspectorAt(address: Address, { settings }: Config, token: string): string | undefined {
  if (!settings.inspector) return undefined
  const isOpen = isLoopback(address.host) && settings.keys.length === 0
  return `${originOf(address)}/inspector${isOpen ? '/' : `?token=${token}`}`
}

/** Without an inspector nothing is recorded in memory. Several processes keep it in a file, so that each can show all of it. */
export function traceSettingsOf(
  { settings: { inspector, traces } }: Config,
  shared: Shared | undefined,
): TraceSettings {
  if (!inspector && traces.store !== 'sqlite') return { ...traces, store: 'off' }
  if (shared === undefined || traces.store !== 'memory') return traces
  const { file } = shared.traces
  return file === undefined ? { ...traces, store: 'off' } : { ...traces, store: 'sqlite', file }
}

export function needsRestart({ settings: before }: Config, { settings: after }: Config): boolean {
  const isElsewhere = after.traces.store !== 'off' && before.traces.store !== after.traces.store
  return isElsewhere || before.traces.file !== after.traces.file
}
