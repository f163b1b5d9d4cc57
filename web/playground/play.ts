import { signal } from '@preact/signals'
import { inWords } from '../data/api.ts'
import { keyHeaders } from '../data/client.ts'
import { createOpened } from '../data/exchange.ts'
import { toDoor } from './doors.ts'
import { draft, toBody } from './draft.ts'
import { stage } from './stage.ts'

export const isRunning = signal(false)
export const problem = signal<string | undefined>(undefined)
const played = createOpened()
export const { opened, open } = played

let abort = new AbortController()

export function headers(): Record<string, string> {
  const { mode, dialect } = draft
  return {
    ...keyHeaders(),
    ...(mode.value !== '' && { 'x-dragoman-tools': mode.value }),
    ...(dialect.value !== '' && { 'x-dragoman-dialect': dialect.value }),
  }
}

export async function play(): Promise<void> {
  problem.value = undefined
  abort = new AbortController()
  try {
    const { path, body } = toDoor(draft.door.value, toBody())
    isRunning.value = true
    played.close()
    await stage.value?.ask({ path, body: JSON.stringify(body), headers: headers(), signal: abort.signal })
  } catch (error) {
    if (!abort.signal.aborted) problem.value = error instanceof TypeError ? inWords(error) : (error as Error).message
  } finally {
    isRunning.value = false
  }
}

export function stop(): void {
  abort.abort()
}
